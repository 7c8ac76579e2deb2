import { expect, test } from 'vitest';
import type { Importation } from '#shared/importations';
import type { Livre } from '#shared/livres';
import type { Serie } from '#shared/series';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { FILE, goodreads, libraryThing } from './samples.ts';
import { countsOf, importFile, lignesOf, none, sendFile } from './support.ts';

const livresOf = async (house: House) =>
  (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];

test('a dry run writes nothing before it is executed', async () => {
  const house = await openHouse();
  const { status, headers, body } = await sendFile(house, FILE, { nom: 'livres.csv' });
  expect([status, body.etat, body.nom]).toEqual([200, 'essai', 'livres.csv']);
  expect(countsOf(body)).toEqual({
    ...none,
    lignes: 4,
    nouveaux: 2,
    souhaits: 1,
    statuts: 2,
    series: 1,
    refuses: ['5 ni titre ni ISBN valable'],
  });
  expect(headers.get('X-Revision')).toBe('0');
  expect(await livresOf(house)).toEqual([]);
  const path = `/api/importations/${body.id}`;
  const executed = await house.ask('alice', 'POST', `${path}/execution`, {});
  expect(executed.body).toEqual({ ...body, etat: 'faite', date: expect.any(String) as string });
  expect(Number(executed.headers.get('X-Revision'))).toBe(house.context.database.revision());
  expect(await livresOf(house)).toHaveLength(2);
  expect((await house.ask('alice', 'POST', `${path}/execution`, {})).body).toEqual(executed.body);
  expect(await livresOf(house)).toHaveLength(2);
});

test('a dry run files names that an undoing brought back', async () => {
  const house = await openHouse();
  const { database } = house.context;
  const unfiled = () => database.value('SELECT count(*) FROM AuteurForme WHERE signature IS NULL');
  const livre = await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'] });
  await ajouterLivre(house, { titre: 'Germinal', auteurs: ['Émile Zola'] });
  const deleted = await house.ask('alice', 'DELETE', `/api/livres/${livre.id}`);
  const act = deleted.headers.get('X-Modification') ?? '';
  await house.ask('alice', 'POST', `/api/modifications/${act}/annulation`);
  expect(unfiled()).not.toBe(0);
  await sendFile(house, FILE);
  expect(unfiled()).toBe(0);
});

test('the same file twice adds nothing', async () => {
  const house = await openHouse();
  await importFile(house, FILE);
  const before = house.context.database.revision();
  const again = await importFile(house, FILE);
  expect(countsOf(again)).toEqual({
    ...none,
    lignes: 4,
    presents: 3,
    refuses: ['5 ni titre ni ISBN valable'],
  });
  expect(house.context.database.revision()).toBe(before);
});

test('rows of one ISBN are one book by their title', async () => {
  const house = await openHouse();
  const file = goodreads(
    { Title: 'Dune', Author: 'Frank Herbert', ISBN13: '9782266320481' },
    { Title: 'Autre titre', Author: 'Frank Herbert', ISBN13: '9782266320481' },
    { Title: 'Dune', Author: 'Frank Herbert', ISBN13: '9782070360024' },
    { Title: 'Dune : avec une préface', Author: 'F. Herbert' },
  );
  expect(countsOf(await importFile(house, file))).toEqual({
    ...none,
    lignes: 4,
    nouveaux: 3,
    presents: 1,
    avertissements: [
      '3 même ISBN que la ligne 2, autre titre ou numéro : deux livres',
      '4 même œuvre que la ligne 2, sous un autre ISBN : deux livres',
    ],
  });
  expect(await importFile(house, file)).toMatchObject({ nouveaux: 0, presents: 4 });
});

test('an owned book gets no second copy from a file', async () => {
  const house = await openHouse();
  const owned = await ajouterLivre(house, { titre: 'Dune', auteurs: ['Herbert, Frank'] });
  const importation = await importFile(house, FILE);
  expect(importation).toMatchObject({ nouveaux: 1, presents: 1, statuts: 2, series: 1 });
  const [ligne] = await lignesOf(house, importation.id, '?sort=present');
  const raison = 'déjà dans la bibliothèque, complété : ISBN';
  expect(ligne).toMatchObject({ ligne: 2, livreId: owned.id, raison });
  const [serie] = (await house.ask(null, 'GET', '/api/series')).body as Serie[];
  expect(serie?.places.map(({ numero, livreId }) => [numero, livreId === owned.id])).toEqual([
    ['1', true],
    ['2', false],
  ]);
});

test('a row that its person leaves out makes no book', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'] });
  const { body } = await sendFile(house, FILE);
  const decisions = [
    { ligne: 2, sort: 'creer' },
    { ligne: 3, sort: 'ignorer' },
  ];
  const path = `/api/importations/${body.id}`;
  const executed = (await house.ask('alice', 'POST', `${path}/execution`, { decisions })).body;
  expect(countsOf(executed as Importation)).toMatchObject({
    lignes: 4,
    nouveaux: 1,
    presents: 0,
    souhaits: 1,
    refuses: ['3 laissé de côté, comme demandé', '5 ni titre ni ISBN valable'],
  });
  expect((await livresOf(house)).map(({ titre }) => titre)).toEqual(['Dune', 'Dune']);
});

test('a known author keeps the household’s spelling', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Ubik', auteurs: ['Philip K. Dick'] });
  const rows = ['Dick Philip K.', 'DICK, PHILIP K', 'Dick, Philip K.'].map((auteur, n) => ({
    Title: `Livre ${n}`,
    Author: auteur,
  }));
  await importFile(house, goodreads(...rows));
  expect((await livresOf(house)).map(({ auteurs }) => auteurs.map(({ nom }) => nom))).toEqual(
    Array(4).fill(['Philip K. Dick']),
  );
});

test('a series that is there gets the volumes that it lacks', async () => {
  const house = await openHouse();
  const places = [{ titre: 'Dune', numero: '1' }];
  await house.ask('alice', 'POST', '/api/series', { titre: 'Dune', places });
  await importFile(house, FILE);
  const series = (await house.ask('alice', 'GET', '/api/series')).body as Serie[];
  expect(
    series.map(({ titre, places: all }) => [titre, ...all.map(({ numero }) => numero)]),
  ).toEqual([['Dune', '1', '2']]);
});

test('each series that a file names can be left out', async () => {
  const house = await openHouse();
  await house.ask('alice', 'POST', '/api/series', { titre: 'Fondation', places: [] });
  const file = goodreads(
    { Title: 'Dune (Dune, #1)', Author: 'Frank Herbert' },
    { Title: 'Le Messie de Dune (Dune, #2)', Author: 'Frank Herbert' },
    { Title: 'Fondation (Fondation, #1)', Author: 'Isaac Asimov' },
    { Title: 'Ubik (Le masque, #7)', Author: 'Philip K. Dick' },
  );
  const { body } = await sendFile(house, file);
  const path = `/api/importations/${body.id}`;
  const known = ((await house.ask('alice', 'GET', '/api/series')).body as Serie[])[0]?.id;
  expect((await house.ask('alice', 'GET', `${path}/series`)).body).toEqual([
    { id: null, titre: 'Dune', volumes: 2 },
    { id: known, titre: 'Fondation', volumes: 1 },
    { id: null, titre: 'Le masque', volumes: 1 },
  ]);
  const executed = await house.ask('alice', 'POST', `${path}/execution`, {
    seriesIgnorees: ['LE MASQUE', 'Fondation', 'rien de tel'],
  });
  expect(executed.body).toMatchObject({ nouveaux: 4, series: 1 });
  const series = (await house.ask('alice', 'GET', '/api/series')).body as Serie[];
  expect(series.map(({ titre, places }) => [titre, places.length])).toEqual([
    ['Dune', 2],
    ['Fondation', 0],
  ]);
  expect((await house.ask('alice', 'GET', `${path}/series`)).body).toEqual([]);
  expect((await house.ask('bob', 'GET', `${path}/series`)).status).toBe(404);
});

test('a page of rows, by fate, with their number', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, FILE);
  const page = await house.ask(
    'alice',
    'GET',
    `/api/importations/${body.id}/lignes?limite=2&decalage=1`,
  );
  expect(page.headers.get('X-Total-Count')).toBe('4');
  expect(page.body).toEqual([
    {
      ligne: 3,
      sort: 'nouveau',
      titre: 'Le Messie de Dune',
      auteurs: ['Frank Herbert'],
      isbn: null,
      livreId: null,
      raison: null,
      texte: 'Le Messie de Dune',
      avertissements: [],
      motifs: [],
    },
    {
      ligne: 4,
      sort: 'souhait',
      titre: 'Ubik',
      auteurs: ['Philip K. Dick'],
      isbn: null,
      livreId: null,
      raison: null,
      texte: 'Ubik',
      avertissements: [],
      motifs: [],
    },
  ]);
});

test('refused rows can be imported again once corrected', async () => {
  const house = await openHouse();
  const importation = await importFile(house, FILE);
  const path = `${house.url}/api/importations/${importation.id}/refus.csv`;
  const response = await fetch(path, { headers: house.headersOf('alice') });
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  const csv = Buffer.from(await response.arrayBuffer()).toString();
  const [header = '', row = ''] = csv.split('\r\n');
  expect(header).toBe(`\ufeff${FILE.split('\n')[0]},Raison`);
  expect(row).toMatch(/^,,Personne,.*,ni titre ni ISBN valable$/);
  const mended = csv.replace(',,Personne', ',Retrouvé,Personne');
  expect(await importFile(house, mended)).toMatchObject({
    format: 'goodreads',
    nouveaux: 1,
    refuses: [],
  });
});

test('an import is accessible to its reader only', async () => {
  const house = await openHouse();
  const hers = await importFile(house, FILE);
  for (const path of ['', '/lignes', '/refus.csv']) {
    const { status } = await house.ask('bob', 'GET', `/api/importations/${hers.id}${path}`);
    expect(status).toBe(404);
  }
  const path = `/api/importations/${hers.id}`;
  expect((await house.ask('bob', 'DELETE', path)).status).toBe(404);
  expect((await house.ask('bob', 'POST', `${path}/execution`, {})).status).toBe(404);
  expect((await house.ask('bob', 'GET', '/api/importations')).body).toEqual([]);
});

test('an import without identity is everyone’s and takes nothing personal', async () => {
  const house = await openHouse();
  await importFile(house, FILE);
  const nobody = (await sendFile(house, FILE, {}, null)).body;
  expect(countsOf(nobody)).toMatchObject({
    nouveaux: 0,
    presents: 2,
    souhaits: 0,
    statuts: 0,
    refuses: [
      '4 un souhait est personnel, et Rayonnage ne sait pas qui vous êtes',
      '5 ni titre ni ISBN valable',
    ],
    avertissements: [
      '2 statut laissé de côté : Rayonnage ne sait pas qui vous êtes',
      '3 statut laissé de côté : Rayonnage ne sait pas qui vous êtes',
    ],
  });
  expect((await house.ask('bob', 'GET', `/api/importations/${nobody.id}`)).status).toBe(200);
});

test('a file does not reopen a loan that was returned', async () => {
  const house = await openHouse();
  const file = libraryThing({
    'Book Id': '1',
    Title: 'Marelle',
    'Primary Author': 'Cortázar, Julio',
    Collections: 'Your library',
    'Lending Patron': 'Zoé',
  });
  expect(await importFile(house, file)).toMatchObject({ nouveaux: 1, prets: 1 });
  expect(await importFile(house, file)).toMatchObject({ presents: 1, prets: 0 });
  const [livre] = await livresOf(house);
  await house.ask('alice', 'POST', `/api/prets/${livre?.pret?.id ?? 0}/retour`);
  expect(await importFile(house, file)).toMatchObject({ presents: 1, prets: 0 });
});

test('a file’s number fills the missing volume of its value', async () => {
  const house = await openHouse();
  const places = ['1', '2', '7'].map((numero) => ({ titre: `Volume ${numero}`, numero }));
  await house.ask('alice', 'POST', '/api/series', { titre: 'Voyages', places });
  const file =
    'Titre;Série;Numéro\nSept;Voyages;07\nUn et demi;Voyages;1,5\nHuit;Voyages;8\nDeux;Voyages;2.0\n';
  const colonnes = { titre: 'Titre', serie: 'Série', numero: 'Numéro' };
  await importFile(house, file, { colonnes: JSON.stringify(colonnes) });
  const [serie] = (await house.ask(null, 'GET', '/api/series')).body as Serie[];
  expect(
    serie?.places.map(({ titre, numero, livreId }) => [titre, numero, livreId !== null]),
  ).toEqual([
    ['Volume 1', '1', false],
    ['Un et demi', '1,5', true],
    ['Volume 2', '2', true],
    ['Volume 7', '7', true],
    ['Huit', '8', true],
  ]);
});
