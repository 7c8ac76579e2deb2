import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Complements } from '#shared/complements';
import type { Livre } from '#shared/livres';
import { table } from '../importations/samples.ts';
import { importFile, sendFile } from '../importations/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type Answer, type House } from '../support/house.ts';
import { houseWithSources, testUpstream, type TestUpstream } from '../support/upstream.ts';

const HEADERS = ['Titre', 'Auteurs', 'ISBN', 'Éditeur', 'Année', 'Pages'];
const MER = { Titre: 'Les travailleurs de la mer', Auteurs: 'Victor Hugo', ISBN: '9782948012017' };

const listOf = async (house: House) =>
  (await house.ask('bob', 'GET', '/api/complements')).body as Complements;

const livreOf = async (house: House, titre: string) => {
  const livres = (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];
  return livres.find((livre) => livre.titre === titre);
};

/** Waits until the catalogues have answered about every book. */
const asked = (house: House) => eventually(async () => (await listOf(house)).enRecherche).toBe(0);

const toldBy = ({ headers }: Answer): string =>
  decodeURIComponent(headers.get('X-Modification-Resume') ?? '');

const decide = async (house: House, path: string, body: object = {}) =>
  (await house.ask('alice', 'POST', `/api/complements/${path}`, body)).body;

test('fields that an imported file lacked are offered, and added on acceptance', async () => {
  const house = await houseWithSources(await testUpstream());
  const unknown = { Titre: 'Inconnu', ISBN: '9782070360024' };
  await importFile(house, table(HEADERS, [MER, { Titre: 'Sans code' }, unknown]));
  await asked(house);
  const { total, complements, sansReponse } = await listOf(house);
  // All catalogues have answered, and none knows the book.
  expect(sansReponse).toBe(0);
  const { id: livreId } = (await livreOf(house, MER.Titre)) ?? {};
  expect([total, complements]).toEqual([
    1,
    [
      {
        livreId,
        titre: MER.Titre,
        auteurs: ['Victor Hugo'],
        isbn: MER.ISBN,
        editeur: 'Les Presses du phare',
        annee: 2019,
        nombrePages: 612,
        titreCatalogue: null,
      },
    ],
  ]);
  expect(await livreOf(house, MER.Titre)).toMatchObject({ editeur: null, annee: null });
  const answer = await house.ask('alice', 'POST', '/api/complements/acceptation', {});
  expect([answer.status, answer.body]).toEqual([200, { livres: 1 }]);
  expect(toldBy(answer)).toBe(`Livre complété : ${MER.Titre}`);
  expect(await livreOf(house, MER.Titre)).toMatchObject({
    editeur: 'Les Presses du phare',
    annee: 2019,
    nombrePages: 612,
  });
  expect(await listOf(house)).toMatchObject({ total: 0, complements: [] });
  const act = answer.headers.get('X-Modification') ?? '';
  await house.ask('alice', 'POST', `/api/modifications/${act}/annulation`);
  expect(await livreOf(house, MER.Titre)).toMatchObject({ editeur: null, annee: null });
});

test('an ebook takes no page count from a catalogue', async () => {
  const house = await houseWithSources(await testUpstream());
  const ebook = { ...MER, Format: 'ebook' };
  await importFile(house, table([...HEADERS, 'Format'], [ebook]));
  await asked(house);
  expect((await listOf(house)).complements).toMatchObject([{ annee: 2019, nombrePages: null }]);
  expect(await decide(house, 'acceptation')).toEqual({ livres: 1 });
  expect(await livreOf(house, MER.Titre)).toMatchObject({
    format: 'Numerique',
    annee: 2019,
    nombrePages: null,
  });
  expect(await decide(house, 'recherche')).toEqual({ livres: 0 });
});

test('a catalogue replaces nothing that a person wrote', async () => {
  const house = await houseWithSources(await testUpstream());
  await importFile(house, table(HEADERS, [{ ...MER, Éditeur: 'La maison du fichier' }]));
  await asked(house);
  const livre = await livreOf(house, MER.Titre);
  const saisie = { ...livre, annee: 1866 };
  await house.ask('bob', 'PUT', `/api/livres/${livre?.id ?? 0}`, saisie);
  expect((await listOf(house)).complements).toMatchObject([
    { editeur: null, annee: null, nombrePages: 612 },
  ]);
  expect(await decide(house, 'acceptation', { livres: [livre?.id] })).toEqual({ livres: 1 });
  expect(await livreOf(house, MER.Titre)).toMatchObject({
    editeur: 'La maison du fichier',
    annee: 1866,
    nombrePages: 612,
  });
  // A value that was accepted once and then erased is not offered again.
  await house.ask('bob', 'PUT', `/api/livres/${livre?.id ?? 0}`, saisie);
  expect((await listOf(house)).total).toBe(0);
});

test('an offer of another title is taken only when named', async () => {
  const house = await houseWithSources(await testUpstream());
  await importFile(house, table(HEADERS, [{ ...MER, Titre: 'Un tout autre livre' }]));
  await asked(house);
  const [offer] = (await listOf(house)).complements;
  expect(offer?.titreCatalogue).toBe(MER.Titre);
  expect(await decide(house, 'acceptation')).toEqual({ livres: 0 });
  expect(await decide(house, 'acceptation', { livres: [offer?.livreId] })).toEqual({ livres: 1 });
  expect(await livreOf(house, 'Un tout autre livre')).toMatchObject({ annee: 2019 });
});

test('a refused offer is gone for good', async () => {
  const house = await houseWithSources(await testUpstream());
  await importFile(house, table(HEADERS, [MER]));
  await asked(house);
  const [offer] = (await listOf(house)).complements;
  expect(await decide(house, 'refus', { livres: [offer?.livreId] })).toEqual({ livres: 1 });
  expect(await decide(house, 'recherche')).toEqual({ livres: 0 });
  expect((await listOf(house)).total).toBe(0);
});

test('an offer goes with the book or ISBN it concerns', async () => {
  const house = await houseWithSources(await testUpstream());
  await importFile(house, table(HEADERS, [MER, { ...MER, ISBN: '9782948012024', Titre: 'B' }]));
  await asked(house);
  expect((await listOf(house)).total).toBe(2);
  const [mer, other] = [await livreOf(house, MER.Titre), await livreOf(house, 'B')];
  await house.ask('bob', 'PUT', `/api/livres/${mer?.id ?? 0}`, { ...mer, isbn: null });
  await house.ask('bob', 'DELETE', `/api/livres/${other?.id ?? 0}`);
  expect((await listOf(house)).total).toBe(0);
  expect(await decide(house, 'acceptation')).toEqual({ livres: 0 });
});

test('a silent catalogue is reported, and asked again on demand', async () => {
  const upstream = await testUpstream();
  upstream.behave('/', (_, response) => void response.writeHead(503).end());
  const house = await houseWithSources(upstream);
  await importFile(house, table(HEADERS, [MER]));
  await asked(house);
  expect(await listOf(house)).toMatchObject({ sansReponse: 1, total: 0 });
  upstream.recover();
  expect(await decide(house, 'recherche')).toEqual({ livres: 1 });
  await asked(house);
  expect(await listOf(house)).toMatchObject({ sansReponse: 0, total: 1 });
});

test('incomplete books with an ISBN are asked about on demand', async () => {
  const house = await houseWithSources(await testUpstream());
  for (const format of ['Physique', 'Numerique'])
    await house.ask('alice', 'POST', '/api/livres?confirmerDoublon=true', {
      titre: MER.Titre,
      format,
      isbn: MER.ISBN,
    });
  expect(await listOf(house)).toMatchObject({ enRecherche: 0, total: 0 });
  expect(await decide(house, 'recherche')).toEqual({ livres: 2 });
  await asked(house);
  expect((await listOf(house)).total).toBe(2);
  const answer = await house.ask('alice', 'POST', '/api/complements/acceptation', {});
  expect(answer.body).toEqual({ livres: 2 });
  expect(toldBy(answer)).toBe('2 livres complétés');
});

test('questions are asked one at a time, however many there are', async () => {
  const upstream = await testUpstream(20);
  let [running, most] = [0, 0];
  upstream.behave('/', (_, response) => {
    most = Math.max(most, ++running);
    setTimeout(() => {
      running--;
      response.writeHead(404).end();
    }, 5);
  });
  const house = await houseWithSources(upstream);
  const isbns = ['9782948012017', '9782948012024', '9782070360024', '9782253004226'];
  await importFile(
    house,
    table(
      HEADERS,
      isbns.map((ISBN, index) => ({ Titre: `Livre ${index}`, ISBN })),
    ),
  );
  await asked(house);
  expect(most).toBe(1);
});

const openAt = (path: string, upstream: TestUpstream) =>
  openHouse(path, {
    BNF_SRU_URL: upstream.bnfSruUrl,
    OPEN_LIBRARY_URL: upstream.openLibraryUrl,
    OPEN_LIBRARY_COVERS_URL: 'https://couvertures.example',
  });

test('a restart resumes the pending questions to catalogues', async () => {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const upstream = await testUpstream();
  // The first service gets no answer before it ends.
  upstream.behave('/', () => undefined);
  const first = await openAt(path, upstream);
  const other = { Titre: 'Autre', ISBN: '9782070360024' };
  await importFile(first, table(HEADERS, [MER, other]));
  // The book is deleted, so its question is dropped.
  const livre = await livreOf(first, other.Titre);
  await first.ask('bob', 'PUT', `/api/livres/${livre?.id ?? 0}`, { ...livre, isbn: null });
  const { body: list } = await sendFile(first, '9782948012024\n');
  expect([(await listOf(first)).enRecherche, list.enRecherche]).toEqual([2, 1]);
  await first.close();
  upstream.recover();
  const second = await openAt(path, upstream);
  await asked(second);
  expect((await listOf(second)).total).toBe(1);
  await eventually(
    async () => (await second.ask('alice', 'GET', `/api/importations/${list.id}`)).body,
  ).toMatchObject({ nouveaux: 1, enRecherche: 0 });
});

test('deciding on ids without offers changes nothing', async () => {
  const house = await houseWithSources(await testUpstream());
  expect(await decide(house, 'acceptation', { livres: [1, 2] })).toEqual({ livres: 0 });
  expect(await decide(house, 'refus', { livres: [1] })).toEqual({ livres: 0 });
});

test('a decision without ids or with too many is refused', async () => {
  const house = await houseWithSources(await testUpstream());
  for (const body of [{ livres: [] }, { livres: ['1'] }, { livres: Array(1001).fill(1) }])
    expect(await decide(house, 'acceptation', body)).toMatchObject({ statusCode: 400 });
});
