import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import type { Pret } from '#shared/prets';
import type { Serie } from '#shared/series';
import { ajouterEmplacement, rangerLivre } from '../support/emplacements.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { FILE, table } from './samples.ts';
import { importFile, sendFile } from './support.ts';

const HEADERS = [
  'Titre',
  'Auteurs',
  'ISBN',
  'Statut',
  'Série',
  'Numéro',
  'Emprunteur',
  'Emplacement',
];
type Cells = Readonly<Record<string, string>>;
const fileOf = (...rows: readonly Cells[]): string => table(HEADERS, rows);

const undo = (house: House, { id }: { readonly id: number }) =>
  house.ask('alice', 'DELETE', `/api/importations/${String(id)}`);

const livresOf = async (house: House) =>
  new Map(
    ((await house.ask('alice', 'GET', '/api/livres')).body as Livre[]).map((livre) => [
      livre.titre,
      livre,
    ]),
  );

const seriesOf = async (house: House) =>
  ((await house.ask('alice', 'GET', '/api/series')).body as Serie[]).map(({ titre, places }) =>
    [
      titre,
      ...places.map(({ titre: of, livreId }) => `${of} ${livreId === null ? '-' : '+'}`),
    ].join(', '),
  );

test('additions of an import to owned books are undone with it', async () => {
  const house = await openHouse();
  for (const titre of ['Sido', 'Chéri', 'Mitsou', 'Gigi']) await ajouterLivre(house, { titre });
  await house.ask('bob', 'PUT', '/api/livres/1/statut', { statut: 2 });
  await house.ask('alice', 'POST', '/api/series', {
    titre: 'Suite',
    places: [
      { titre: 'Un', numero: '1' },
      { titre: 'Gigi', numero: '4', livreId: 4 },
    ],
  });
  const importation = await importFile(
    house,
    fileOf(
      { Titre: 'Sido', Statut: 'lu', Emprunteur: 'Zoé', Série: 'Suite', Numéro: '1' },
      { Titre: 'Chéri', Statut: 'lu', Emprunteur: 'Zoé', Série: 'Suite', Numéro: '2' },
      { Titre: 'Mitsou', Statut: 'lu', Emprunteur: 'Zoé', Série: 'Autre', Numéro: '1' },
      { Titre: 'Gigi', Série: 'Suite', Numéro: '5' },
    ),
  );
  expect(importation).toMatchObject({ nouveaux: 0, statuts: 3, prets: 3, series: 2 });
  expect(await seriesOf(house)).toEqual(['Autre, Mitsou +', 'Suite, Un +, Chéri +, Gigi +']);
  // A person's later change stays.
  await house.ask('alice', 'PUT', '/api/livres/2/statut', { statut: 1 });
  const prets = (await house.ask('alice', 'GET', '/api/livres/2/prets')).body as Pret[];
  await house.ask('alice', 'POST', `/api/prets/${String(prets[0]?.id)}/retour`);
  const undone = await undo(house, importation);
  expect(undone.body).toEqual({ retires: 0, gardes: 0 });
  const livres = await livresOf(house);
  expect([...livres.values()].map(({ titre, statut, pret }) => [titre, statut, pret])).toEqual([
    ['Chéri', 1, null],
    ['Gigi', null, null],
    ['Mitsou', null, null],
    ['Sido', null, null],
  ]);
  expect((await house.ask('alice', 'GET', '/api/livres/1/prets')).body).toEqual([]);
  expect((await house.ask('alice', 'GET', '/api/livres/2/prets')).body).toHaveLength(1);
  expect((await house.ask('bob', 'GET', '/api/livres/1')).body).toMatchObject({ statut: 2 });
  const [suite, ...others] = await seriesOf(house);
  expect([suite, others]).toEqual(['Suite, Un -, Gigi +', []]);
});

test('a book that stays keeps its loan, status and place', async () => {
  const house = await openHouse();
  await ajouterEmplacement(house, 'Salon');
  const more = { Statut: 'lu', Emplacement: 'Salon', Auteurs: 'Colette' };
  const titres = ['Sido', 'Chéri', 'Mitsou', 'Gigi', 'Duo', 'Julie', 'Ida'];
  const importation = await importFile(
    house,
    fileOf(
      ...titres.map((Titre, index) => ({
        Titre,
        ...more,
        Emprunteur: Titre === 'Julie' ? '' : 'Zoé',
        Auteurs: Titre === 'Gigi' ? 'Colette ; Luc' : 'Colette',
        Série: 'Suite',
        Numéro: String(index + 1),
      })),
      { Titre: 'Seul', Série: 'Autre' },
    ),
  );
  const id = async (titre: string) => (await livresOf(house)).get(titre)?.id ?? 0;
  const change = async (titre: string, fields: object) =>
    house.ask('bob', 'PUT', `/api/livres/${String(await id(titre))}`, {
      titre,
      format: 'Physique',
      auteurs: ['Colette'],
      ...fields,
    });
  await rangerLivre(house, await id('Sido'), null);
  await change('Chéri', { isbn: '9782070360024' });
  await change('Mitsou', { auteurs: ['Colette', 'Willy'] });
  await change('Gigi', { auteurs: ['Colette', 'Willy'] });
  await change('Duo', { auteurs: [] });
  await house.ask('bob', 'DELETE', `/api/livres/${String(await id('Julie'))}`);
  const [serie] = ((await house.ask('bob', 'GET', '/api/series')).body as Serie[]).filter(
    ({ titre }) => titre === 'Autre',
  );
  await house.ask('bob', 'POST', `/api/series/${String(serie?.id)}/places`, { titre: 'À venir' });
  const { body } = await undo(house, importation);
  expect(body).toEqual({ retires: 2, gardes: 5 });
  const remaining = await livresOf(house);
  expect([...remaining.keys()]).toEqual(['Chéri', 'Duo', 'Gigi', 'Mitsou', 'Sido']);
  for (const livre of remaining.values())
    expect(livre).toMatchObject({ statut: 2, pret: { emprunteur: 'Zoé' } });
  expect((await seriesOf(house)).at(-1)).toBe('Suite, Sido +, Chéri +, Mitsou +, Gigi +, Duo +');
});

test('an author’s name completed since does not keep a book', async () => {
  const house = await openHouse();
  const importation = await importFile(
    house,
    fileOf(
      { Titre: 'Apostille', Auteurs: 'U. Eco ; Colette' },
      { Titre: 'Baudolino', Auteurs: 'U. Eco' },
      { Titre: 'Cimetière', Auteurs: 'U. Eco ; Colette' },
    ),
  );
  await ajouterLivre(house, { titre: 'Kant et l’ornithorynque', auteurs: ['Umberto Eco'] });
  expect((await livresOf(house)).get('Baudolino')?.auteurs).toMatchObject([{ nom: 'Umberto Eco' }]);
  const change = async (titre: string, ...auteurs: string[]) => {
    const id = (await livresOf(house)).get(titre)?.id;
    const saisi = { titre, format: 'Physique', auteurs };
    await house.ask('bob', 'PUT', `/api/livres/${String(id)}`, saisi);
  };
  await change('Baudolino', 'Umberto Eco', 'Colette');
  await change('Cimetière', 'Colette', 'Umberto Eco');
  expect((await undo(house, importation)).body).toEqual({ retires: 1, gardes: 2 });
  expect((await livresOf(house)).has('Apostille')).toBe(false);
});

test('undoing removes only wishes that are as they were entered', async () => {
  const house = await openHouse();
  await house.ask('alice', 'POST', '/api/souhaits', { titre: 'Ubik' });
  const wish = { Statut: 'souhaits' };
  const titres = ['Un', 'Deux', 'Trois', 'Quatre', 'Cinq'];
  const importation = await importFile(
    house,
    fileOf(...titres.map((Titre) => ({ Titre, Auteurs: 'Colette', ...wish })), { Titre: '' }),
  );
  const change = (id: number, fields: object) =>
    house.ask('alice', 'PUT', `/api/souhaits/${String(id)}`, { auteur: 'Colette', ...fields });
  await change(2, { titre: 'Autre' });
  await change(3, { titre: 'Deux', auteur: 'Willy' });
  await change(4, { titre: 'Trois', isbn: '9782070360024' });
  await house.ask('alice', 'DELETE', '/api/souhaits/5');
  await undo(house, importation);
  expect((await house.ask('alice', 'GET', '/api/souhaits')).body).toMatchObject(
    ['Ubik', 'Autre', 'Deux', 'Trois'].map((titre) => ({ titre })),
  );
});

test('a deleted dry run is not found', async () => {
  const house = await openHouse();
  const essai = (await sendFile(house, FILE)).body;
  expect((await undo(house, essai)).body).toEqual({ retires: 0, gardes: 0 });
  expect((await undo(house, essai)).status).toBe(404);
});

test('an import can be undone for thirty days', async () => {
  const house = await openHouse();
  const age = (days: number) =>
    house.context.database.write((tx) =>
      tx.run('UPDATE Importation SET date = ?', Date.now() - days * 86_400_000),
    );
  const importation = await importFile(house, FILE);
  age(31);
  expect((await undo(house, importation)).body).toMatchObject({ code: 'INTROUVABLE' });
  expect(
    (await house.ask('alice', 'GET', `/api/importations/${String(importation.id)}`)).status,
  ).toBe(200);
  age(29);
  expect((await undo(house, importation)).body).toEqual({ retires: 2, gardes: 0 });
  expect((await undo(house, importation)).body).toEqual({ retires: 0, gardes: 0 });
});
