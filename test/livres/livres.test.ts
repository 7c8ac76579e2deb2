import { expect, test } from 'vitest';
import { LIVRE_TEXTS, type Livre } from '#shared/livres';
import { mapObject } from '#shared/object-keys';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

const PRINCE = {
  titre: 'Le Petit Prince',
  auteurs: ['Antoine de Saint-Exupéry'],
  isbn: '2-07-061275-9',
  format: 'Physique',
  typeDocument: 'Roman',
  nombrePages: 96,
  coverUrl: 'https://exemple.fr/prince.jpg',
  editeur: 'Gallimard',
  annee: 2007,
};

test('an added book is returned completely, and read as returned', async () => {
  const house = await openHouse();
  const { status, headers, body } = await house.ask('Élodie', 'POST', '/api/livres', PRINCE);
  expect(status).toBe(201);
  expect(body).toEqual({
    ...mapObject(LIVRE_TEXTS, () => null),
    ...PRINCE,
    id: 1,
    titreNormalise: 'le petit prince',
    auteurs: [{ id: 1, nom: 'Antoine de Saint-Exupéry' }],
    isbn: '9782070612758',
    isbnAffiche: '978-2-07-061275-8',
    couverture: null,
    themes: [],
    details: [],
    emprunteA: null,
    emplacementId: null,
    rang: null,
    ajoutePar: 'Élodie',
    dateAjout: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    statut: null,
    pret: null,
  });
  expect(headers.get('location')).toBe('/api/livres/1');
  expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
  const read = await house.ask(null, 'GET', '/api/livres/1');
  expect(read.body).toEqual(body);
  expect(read.headers.get('x-revision')).toBeNull();
});

const forged = {
  ...PRINCE,
  id: 99,
  ajoutePar: 'moi',
  dateAjout: '2000-01-01T00:00:00Z',
  titreNormalise: 'x',
  isbnAffiche: 'y',
  statut: 2,
  pret: {},
  nothing: { a: [1] },
};

test('fields that only the server sets are ignored', async () => {
  const house = await openHouse();
  const { body } = await house.ask('alice', 'POST', '/api/livres', forged);
  expect(body).toMatchObject({
    id: 1,
    ajoutePar: 'alice',
    titreNormalise: 'le petit prince',
    statut: null,
    pret: null,
  });
});

test('an edit does not change who added a book', async () => {
  const house = await openHouse();
  const { body } = await house.ask('alice', 'POST', '/api/livres', forged);
  const { dateAjout } = body as Livre;
  const put = await house.ask('bruno', 'PUT', '/api/livres/1', forged);
  expect(put.body).toMatchObject({ id: 1, ajoutePar: 'alice', dateAjout });
});

test('a PUT of a GET’s response changes nothing', async () => {
  const house = await openHouse();
  const livre = await ajouterLivre(house, { ...PRINCE, format: 'Physique', typeDocument: 'Roman' });
  expect((await house.ask(null, 'PUT', '/api/livres/1', livre)).body).toEqual(livre);
});

test('a PUT that leaves out fields clears them', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { ...PRINCE, format: 'Physique', typeDocument: 'Roman' });
  const { body } = await house.ask(null, 'PUT', '/api/livres/1', {
    titre: 'Autre',
    format: 'Numerique',
  });
  expect(body).toMatchObject({
    titre: 'Autre',
    titreNormalise: 'autre',
    format: 'Numerique',
    typeDocument: 'NonPrecise',
    auteurs: [],
    isbn: null,
    isbnAffiche: null,
    nombrePages: null,
    coverUrl: null,
    couverture: null,
    editeur: null,
    annee: null,
  });
});

test('texts of an unknown caller’s book are trimmed and NFC', async () => {
  const livre = await ajouterLivre(await openHouse(), {
    titre: '\u00a0 E\u0301te\u0301 \t',
    auteurs: [' Zoe\u0308 '],
  });
  expect(livre).toMatchObject({ titre: 'Été', auteurs: [{ nom: 'Zoë' }], ajoutePar: null });
});

test('a title has at most 500 code points', async () => {
  const house = await openHouse();
  expect((await ajouterLivre(house, { titre: '𝔄'.repeat(500) })).titre).toHaveLength(1000);
  const long = await house.ask(null, 'POST', '/api/livres', {
    titre: 'a'.repeat(501),
    format: 'Physique',
  });
  expect(long).toMatchObject({
    status: 400,
    body: { code: 'REQUETE_INVALIDE', champs: [{ champ: 'titre' }] },
  });
});

test('an invalid book is refused at its field, unwritten', async () => {
  const house = await openHouse();
  for (const [saisie, champ] of [
    [{ format: 'Physique' }, 'titre'],
    [{ titre: '  ', format: 'Physique' }, 'titre'],
    [{ titre: 12, format: 'Physique' }, 'titre'],
    [{ titre: 'A' }, 'format'],
    [{ titre: 'A', format: 'Physique', nombrePages: '12' }, 'nombrePages'],
    [{ titre: 'A', format: 'Physique', annee: 2007.5 }, 'annee'],
    [{ titre: 'A', format: 'Physique', annee: 3001 }, 'annee'],
    [{ titre: 'A', format: 'Physique', isbn: 9782070612758 }, 'isbn'],
    [{ titre: 'A', format: 'Physique', auteurs: ['B', 5] }, 'auteurs.1'],
    [{ titre: 'A\0', format: 'Physique' }, 'titre'],
  ] as const)
    expect(
      await house.ask(null, 'POST', '/api/livres', saisie),
      JSON.stringify(saisie),
    ).toMatchObject({ status: 400, body: { code: 'REQUETE_INVALIDE', champs: [{ champ }] } });
  expect(house.context.database.revision()).toBe(0);
});

test('a book that is not there is nowhere', async () => {
  const house = await openHouse();
  const livre = { titre: 'A', format: 'Physique', auteurs: ['Personne'] };
  for (const [method, path, body] of [
    ['GET', '/api/livres/7'],
    ['PUT', '/api/livres/7', livre],
    ['DELETE', '/api/livres/7'],
    ['PUT', '/api/livres/7/statut', { statut: 1 }],
    ['GET', '/api/livres/7/prets'],
    ['POST', '/api/livres/7/prets', { emprunteur: 'Zoé' }],
  ] as const)
    expect(await house.ask('alice', method, path, body)).toMatchObject({
      status: 404,
      body: { code: 'INTROUVABLE' },
    });
  expect((await house.ask(null, 'GET', '/api/auteurs')).body).toEqual([]);
});

test('a deleted book takes its loans along', async () => {
  const house = await openHouse();
  const { id } = await ajouterLivre(house);
  await house.ask('alice', 'PUT', `/api/livres/${String(id)}/statut`, { statut: 2 });
  const pret = await house.ask(null, 'POST', `/api/livres/${String(id)}/prets`, {
    emprunteur: 'Zoé',
  });
  const lent = await house.ask(null, 'DELETE', `/api/livres/${String(id)}`);
  expect(lent).toMatchObject({ status: 409, body: { code: 'LIVRE_PRETE', emprunteur: 'Zoé' } });
  await house.ask(null, 'POST', `/api/prets/${String((pret.body as { id: number }).id)}/retour`);
  const deletion = await house.ask(null, 'DELETE', `/api/livres/${String(id)}`);
  expect([deletion.status, deletion.body]).toEqual([204, null]);
  expect(Number(deletion.headers.get('x-revision'))).toBe(house.context.database.revision());
  expect((await house.ask(null, 'GET', `/api/livres/${String(id)}`)).status).toBe(404);
  expect((await ajouterLivre(house)).id).toBe(id + 1);
});

test('a lent book stays of paper', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Lent' });
  await house.ask(null, 'POST', '/api/livres/1/prets', { emprunteur: 'Zoé' });
  const numerique = await house.ask(null, 'PUT', '/api/livres/1', {
    titre: 'Lent',
    format: 'Numerique',
  });
  expect(numerique).toMatchObject({
    status: 409,
    body: { code: 'LIVRE_PRETE', emprunteur: 'Zoé' },
  });
  const papier = await house.ask(null, 'PUT', '/api/livres/1', {
    titre: 'Lent encore',
    format: 'Physique',
  });
  expect(papier).toMatchObject({
    status: 200,
    body: { titre: 'Lent encore', pret: { emprunteur: 'Zoé' } },
  });
});
