import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

const titres = async (house: House, query: string, utilisateur: string | null = null) => {
  const { status, headers, body } = await house.ask(utilisateur, 'GET', `/api/livres?${query}`);
  expect(status).toBe(200);
  return {
    titres: (body as Livre[]).map(({ titre }) => titre),
    total: Number(headers.get('x-total-count')),
  };
};

async function openShelf(): Promise<House> {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Œuvres', auteurs: ['Zoé Ça'], typeDocument: 'Roman' });
  await ajouterLivre(house, {
    titre: 'Astérix',
    format: 'Numerique',
    typeDocument: 'BandeDessinee',
  });
  await ajouterLivre(house, { titre: 'Bérénice', auteurs: ['Jean Racine'] });
  await ajouterLivre(house, { titre: 'Bérénice', auteurs: ['Jean Racine'] });
  await house.ask('alice', 'PUT', '/api/livres/1/statut', { statut: 0 });
  await house.ask('bruno', 'PUT', '/api/livres/3/statut', { statut: 2 });
  await house.ask(null, 'POST', '/api/livres/3/prets', { emprunteur: 'Zoé' });
  await house.ask(null, 'POST', '/api/livres/4/prets', { emprunteur: 'Zoé' });
  await house.ask(null, 'POST', '/api/prets/2/retour');
  return house;
}

test('the list is sorted by title, filtered, searched and paged', async () => {
  const house = await openShelf();
  const all = ['Astérix', 'Bérénice', 'Bérénice', 'Œuvres'];
  expect(await titres(house, '')).toEqual({ titres: all, total: 4 });
  expect(await titres(house, 'recherche=&format=&statut=&limite=')).toEqual({
    titres: all,
    total: 4,
  });
  expect(await titres(house, 'limite=2')).toEqual({ titres: all.slice(0, 2), total: 4 });
  expect(await titres(house, 'limite=2&decalage=3')).toEqual({ titres: ['Œuvres'], total: 4 });
  expect(await titres(house, 'decalage=99')).toEqual({ titres: [], total: 4 });
  expect((await titres(house, 'recherche=oeuvre+zoe')).titres).toEqual(['Œuvres']);
  expect((await titres(house, 'recherche=RACINE%20b%C3%A9r')).titres).toEqual([
    'Bérénice',
    'Bérénice',
  ]);
  expect((await titres(house, 'recherche=NICE+acin')).titres).toEqual(['Bérénice', 'Bérénice']);
  expect((await titres(house, 'format=Numerique')).titres).toEqual(['Astérix']);
  expect((await titres(house, 'typeDocument=Roman')).titres).toEqual(['Œuvres']);
  expect((await titres(house, 'disponibilite=prete')).titres).toEqual(['Bérénice']);
  expect((await titres(house, 'disponibilite=chezSoi')).titres).toEqual([
    'Astérix',
    'Bérénice',
    'Œuvres',
  ]);
});

test('statuses are the caller’s own, and 0 is one', async () => {
  const house = await openShelf();
  expect((await titres(house, 'statut=0', 'alice')).titres).toEqual(['Œuvres']);
  expect((await titres(house, 'statut=0', 'bruno')).titres).toEqual([]);
  expect((await titres(house, 'statut=aucun', 'bruno')).titres).toEqual([
    'Astérix',
    'Bérénice',
    'Œuvres',
  ]);
  expect((await titres(house, 'statut=2')).titres).toEqual([]);
  expect((await titres(house, 'statut=aucun')).total).toBe(4);
  const { body } = await house.ask('alice', 'GET', '/api/livres?limite=4');
  expect((body as Livre[]).map(({ statut }) => statut)).toEqual([null, null, null, 0]);
});

test('a listed book equals the book read by itself', async () => {
  const house = await openShelf();
  const body = async (path: string) => (await house.ask('bruno', 'GET', path)).body;
  const ids = [2, 3, 4, 1];
  const alone = () => Promise.all(ids.map((id) => body(`/api/livres/${String(id)}`)));
  expect(await body('/api/livres')).toEqual(await alone());
  await house.ask('bruno', 'PUT', '/api/livres/1/statut', { statut: 1 });
  await house.ask(null, 'POST', '/api/livres/4/prets', { emprunteur: '« Zoé »' });
  await house.ask(null, 'PUT', '/api/livres/3', { titre: 'Bérénice', annee: 1670 });
  const { headers } = await house.ask(null, 'GET', '/api/livres');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await body('/api/livres')).toEqual(await alone());
});

test('a list parameter that does not fit is refused', async () => {
  const house = await openHouse();
  for (const query of [
    'statut=3',
    'statut=null',
    'statut=0,',
    'sans=titre',
    'format=physique',
    'typeDocument=BD',
    'disponibilite=oui',
    'limite=0',
    'limite=-1',
    'limite=1.5',
    'limite=x',
    'decalage=-1',
    'limite=1&limite=1',
    'recherche=a&recherche=b',
    'recherche=%FF',
    `recherche=${'a'.repeat(501)}`,
  ]) {
    const [champ] = query.split('=');
    expect(await house.ask(null, 'GET', `/api/livres?${query}`), query).toMatchObject({
      status: 400,
      body: { code: 'REQUETE_INVALIDE', champs: [{ champ }] },
    });
  }
});

const numbers = (count: number) => JSON.stringify(Array.from({ length: count }, (_, n) => n));

test('a long list that is read slowly is of one moment', async () => {
  const house = await openHouse();
  const { database } = house.context;
  // More than the socket buffers hold.
  database.write((tx) =>
    tx.run(
      `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout, coverUrl)
       SELECT 'Sido', 'sido', 'sido', 'Physique', '2024-01-01T00:00:00.000Z', ?
       FROM json_each(?)`,
      ...[`https://couvertures.example/${'a'.repeat(4_000)}`, numbers(6_000)],
    ),
  );
  const asked = request(`${house.url}/api/livres`, { headers: house.headersOf('ana') }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  database.write((tx) => {
    tx.run(
      `INSERT INTO Pret (livreId, emprunteur, emprunteurNormalise, datePret)
       SELECT id, 'Zoé', 'zoe', '2024-01-01T00:00:00.000Z' FROM Livre`,
    );
    tx.run("INSERT INTO Statut (livreId, utilisateur, statut) SELECT id, 'ana', 2 FROM Livre");
  });
  const lent = (await house.ask('ana', 'GET', '/api/livres?limite=1')).body as Livre[];
  expect(lent).toMatchObject([{ statut: 2, pret: { emprunteur: 'Zoé' } }]);
  const read = JSON.parse(await text(answer)) as Livre[];
  expect(read).toHaveLength(6_000);
  expect(read.filter(({ pret, statut }) => pret !== null || statut !== null)).toHaveLength(0);
});
