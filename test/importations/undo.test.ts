import { expect, test, vi } from 'vitest';
import type { Livre } from '#shared/livres';
import type { Souhait } from '#shared/souhaits';
import { Transaction } from '#server/plumbing/database/connection';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { goodreads } from './samples.ts';
import { importFile, sendFile } from './support.ts';

const livresOf = async (house: House) =>
  (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];

const FILE = goodreads(
  { Title: 'Dune (Dune, #1)', Author: 'Frank Herbert', ISBN13: '9782266320481' },
  { Title: 'Le Messie de Dune (Dune, #2)', Author: 'Frank Herbert' },
  { Title: 'Ubik', Author: 'Philip K. Dick', Bookshelves: 'wishlist' },
);

test('an import is undone as a whole', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Ailleurs', auteurs: ['Frank Herbert'] });
  const importation = await importFile(house, FILE);
  const undone = await house.ask('alice', 'DELETE', `/api/importations/${importation.id}`);
  expect([undone.status, undone.body]).toEqual([200, { retires: 2, gardes: 0 }]);
  expect((await livresOf(house)).map(({ titre }) => titre)).toEqual(['Ailleurs']);
  expect((await house.ask('alice', 'GET', '/api/series')).body).toEqual([]);
  expect((await house.ask('alice', 'GET', '/api/souhaits')).body).toEqual([]);
  const after = (await house.ask('alice', 'GET', `/api/importations/${importation.id}`)).body;
  expect(after).toMatchObject({ etat: 'annulee' });
  expect(await importFile(house, FILE)).toMatchObject({ nouveaux: 2, souhaits: 1, series: 1 });
});

test('twice as many books go by as many statements', async () => {
  const counts: number[] = [];
  for (const count of [20, 40]) {
    const house = await openHouse();
    const rows = Array.from({ length: count }, (_, n) => ({
      Title: `Titre ${String(n)}`,
      Author: `Auteur ${String(n)}`,
    }));
    const importation = await importFile(house, goodreads(...rows));
    const writes = vi.spyOn(Transaction.prototype, 'run');
    const { body } = await house.ask('alice', 'DELETE', `/api/importations/${importation.id}`);
    expect(body).toEqual({ retires: count, gardes: 0 });
    // Notes about the file itself are written at other times.
    const ofBooks = writes.mock.calls.filter(([sql]) => !sql.startsWith('UPDATE Installation'));
    counts.push(ofBooks.length);
    writes.mockRestore();
  }
  const [few, many] = counts;
  expect(many).toBe(few);
});

test('undoing an import keeps records changed since', async () => {
  const house = await openHouse();
  const titles = ['Un', 'Deux', 'Trois', 'Quatre', 'Cinq'];
  const file = goodreads(...titles.map((Title) => ({ Title, Author: `Auteur ${Title}` })), {
    Title: 'Envie',
    Bookshelves: 'wishlist',
  });
  const importation = await importFile(house, file);
  const ids = new Map((await livresOf(house)).map(({ titre, id }) => [titre, id]));
  const id = (titre: string) => ids.get(titre) ?? 0;
  await house.ask('bob', 'PUT', `/api/livres/${id('Un')}`, {
    titre: 'Un',
    format: 'Physique',
    annee: 1999,
  });
  await house.ask('bob', 'POST', `/api/livres/${id('Deux')}/prets`, { emprunteur: 'Zoé' });
  await house.ask('bob', 'PUT', `/api/livres/${id('Trois')}/statut`, { statut: 2 });
  await house.ask('bob', 'POST', '/api/series', {
    titre: 'Nombres',
    places: [{ titre: 'Quatre', livreId: id('Quatre') }],
  });
  await house.ask('alice', 'PUT', `/api/livres/${id('Cinq')}/statut`, { statut: 0 });
  const [souhait] = (await house.ask('alice', 'GET', '/api/souhaits')).body as Souhait[];
  await house.ask('alice', 'PUT', `/api/souhaits/${souhait?.id ?? 0}`, { titre: 'Autre envie' });
  const { body } = await house.ask('alice', 'DELETE', `/api/importations/${importation.id}`);
  // Another reader's status does not keep a book: it is deleted along.
  expect(body).toEqual({ retires: 2, gardes: 3 });
  expect((await livresOf(house)).map(({ titre }) => titre).sort()).toEqual(
    ['Un', 'Deux', 'Quatre'].sort(),
  );
  expect((await house.ask('alice', 'GET', '/api/souhaits')).body).toHaveLength(1);
});

test('an undone import is redone with its decisions', async () => {
  const house = await openHouse();
  const { body: essai } = await sendFile(house, FILE, {}, 'alice');
  const path = `/api/importations/${String(essai.id)}`;
  const titres = async () => (await livresOf(house)).map(({ titre }) => titre);
  const execute = (body: object) => house.ask('alice', 'POST', `${path}/execution`, body);
  await execute({ decisions: [{ ligne: 3, sort: 'ignorer' }], seriesIgnorees: ['Dune'] });
  expect(await titres()).toEqual(['Dune']);
  await house.ask('alice', 'DELETE', path);
  expect(await titres()).toEqual([]);
  const { status, body } = await execute({});
  expect([status, body]).toMatchObject([200, { etat: 'faite', nouveaux: 1, souhaits: 1 }]);
  expect(await titres()).toEqual(['Dune']);
  expect((await house.ask('alice', 'GET', '/api/series')).body).toEqual([]);
  expect((await house.ask('alice', 'DELETE', path)).body).toEqual({ retires: 1, gardes: 0 });
});

async function houseOfHerbert() {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Ailleurs', auteurs: ['F. Herbert'] });
  const noms = async () => (await livresOf(house)).map(({ auteurs }) => auteurs[0]?.nom);
  const undo = ({ id }: { id: number }) => house.ask('alice', 'DELETE', `/api/importations/${id}`);
  return { house, noms, undo };
}

test('undoing an import gives an author the former name back', async () => {
  const { house, noms, undo } = await houseOfHerbert();
  const importation = await importFile(house, FILE);
  expect(await noms()).toEqual(['Frank Herbert', 'Frank Herbert', 'Frank Herbert']);
  await undo(importation);
  expect(await noms()).toEqual(['F. Herbert']);
});

test('an author keeps the fuller name that another book uses', async () => {
  const { house, noms, undo } = await houseOfHerbert();
  const again = await importFile(house, FILE);
  await ajouterLivre(house, { titre: 'La Barrière Santaroga', auteurs: ['Frank Herbert'] });
  await undo(again);
  expect(await noms()).toEqual(['Frank Herbert', 'Frank Herbert']);
});

test('an author who was renamed since keeps the new name', async () => {
  const { house, noms, undo } = await houseOfHerbert();
  const importation = await importFile(house, FILE);
  const [livre] = await livresOf(house);
  const path = `/api/auteurs/${String(livre?.auteurs[0]?.id)}`;
  expect((await house.ask('bob', 'PUT', path, { nom: 'Franklin Herbert' })).status).toBe(200);
  await undo(importation);
  expect(new Set(await noms())).toEqual(new Set(['Franklin Herbert']));
});

test('a redone import creates no duplicate', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'] });
  const { body: essai } = await sendFile(house, FILE, {}, 'alice');
  const path = `/api/importations/${String(essai.id)}`;
  const execute = (body: object) => house.ask('alice', 'POST', `${path}/execution`, body);
  const titres = async () => (await livresOf(house)).map(({ titre }) => titre);
  await execute({ decisions: [{ ligne: 2, sort: 'creer' }] });
  expect(await titres()).toEqual(['Dune', 'Dune', 'Le Messie de Dune']);
  const second = (await livresOf(house)).at(-1)?.id ?? 0;
  await house.ask('bob', 'POST', `/api/livres/${String(second)}/prets`, { emprunteur: 'Luc' });
  expect((await house.ask('alice', 'DELETE', path)).body).toEqual({ retires: 1, gardes: 1 });
  expect((await execute({})).body).toMatchObject({ nouveaux: 1, presents: 1 });
  expect(await titres()).toEqual(['Dune', 'Dune', 'Le Messie de Dune']);
});

test('undoing an import removes its open loans', async () => {
  const house = await openHouse();
  for (const titre of ['Sido', 'Mitsou']) await ajouterLivre(house, { titre });
  const importation = await importFile(house, 'Titre;Emprunteur\nSido;Luc\nMitsou;Luc\n');
  await house.ask('alice', 'POST', '/api/prets/1/retour');
  await house.ask('alice', 'DELETE', `/api/importations/${importation.id}`);
  const prets = (id: number) => house.ask('alice', 'GET', `/api/livres/${id}/prets`);
  expect((await prets(1)).body).toHaveLength(1);
  expect((await prets(2)).body).toEqual([]);
});
