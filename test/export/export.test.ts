import { parse } from 'csv-parse/sync';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { exportKinds, exportKindNames } from '#shared/export';
import { openHouse } from '../support/house.ts';
import { fill } from './random-household.ts';
import { download, unzip } from './support.ts';

test('the archive holds every record in its schema', async () => {
  const house = await openHouse();
  await fill(house, 1);
  const { headers, bytes } = await download(house, '/api/export.zip');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('content-type')).toBe('application/zip');
  const files = await unzip(bytes);
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['rayonnage.json', 'LISEZ-MOI.html', 'livres.csv', 'json/livres.json']),
  );
  expect([...files.keys()].filter((name) => name.includes('modification'))).toEqual([]);
  const head = JSON.parse(files.get('rayonnage.json') ?? '') as { counts: Record<string, number> };
  for (const kind of exportKindNames) {
    const records = JSON.parse(files.get(`json/${kind}.json`) ?? '') as unknown[];
    expect(head.counts[kind], kind).toBe(records.length);
    expect(
      records.filter((record) => !Check(exportKinds[kind], record)),
      kind,
    ).toEqual([]);
    expect(JSON.parse(files.get(`json/${kind}.schema.json`) ?? '')).toMatchObject({
      type: 'object',
    });
  }
});

test('the archive holds nothing of another person’s', async () => {
  const house = await openHouse();
  await fill(house, 1);
  await house.ask('bob', 'POST', '/api/souhaits', { titre: 'Le secret de Bob' });
  const { bytes } = await download(house, '/api/export.zip');
  expect(bytes.includes('Le secret de Bob')).toBe(false);
  const files = await unzip(bytes);
  expect([...files.values()].some((text) => text.includes('Le secret de Bob'))).toBe(false);
});

test('without a reader the archive contains shared records only', async () => {
  const house = await openHouse();
  await fill(house, 2);
  const files = await unzip((await download(house, '/api/export.zip', null)).bytes);
  expect(JSON.parse(files.get('json/souhaits.json') ?? '')).toEqual([]);
  const livres = JSON.parse(files.get('json/livres.json') ?? '') as { statut: unknown }[];
  expect(livres).toHaveLength(12);
  expect(livres.every(({ statut }) => statut === null)).toBe(true);
});

test('the table of books is safe in a spreadsheet', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/livres', {
    titre: '=SOMME(A1;B1)',
    format: 'Physique',
    auteurs: ['Ana « A »', 'B'],
    isbn: '2070360024',
  });
  const { headers, bytes } = await download(house, '/api/export/livres.csv');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
  expect(parse(bytes, { bom: true, delimiter: ';', columns: true })).toMatchObject([
    { Titre: "'=SOMME(A1;B1)", Auteurs: 'Ana « A » ; B', ISBN: '978-2-07-036002-4' },
  ]);
});

/** Exports one book whose title and authors look like spreadsheet formulas. */
async function listOfOddBook(name: string): Promise<string> {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/livres', {
    titre: 'A & B_{50 %}\\end',
    format: 'Physique',
    auteurs: ['Jean Un', 'Simon and Co'],
    annee: 1999,
    isbn: '2070360024',
  });
  return (await download(house, `/api/export/${name}`)).bytes.toString();
}

test('BibTeX escapes texts that would be commands', async () => {
  const bib = await listOfOddBook('livres.bib');
  expect(bib).toContain('title = {A \\& B\\_\\{50 \\%\\}\\textbackslash{}end}');
  expect(bib).toContain('author = {Jean Un and {Simon and Co}}');
});

test('RIS names every field of a book', async () => {
  const ris = await listOfOddBook('livres.ris');
  expect(ris).toMatch(/^TY {2}- BOOK\r\nTI {2}- A & B/);
  expect(ris).toContain(
    'AU  - Simon and Co\r\nPY  - 1999\r\nSN  - 978-2-07-036002-4\r\nER  - \r\n',
  );
});

test.each([
  ['Antoine de Saint-Exupéry', 'Saint-Exupéry, Antoine de', 'Antoine de Saint-Exupéry'],
  ['Hugo, Victor', 'Hugo, Victor', 'Hugo, Victor'],
  ['Colette', 'Colette', 'Colette'],
  ['bell hooks', 'hooks, bell', 'bell hooks'],
  ['Michele Della Valle', 'Della Valle, Michele', 'Michele Della Valle'],
  ['Éditions du Seuil', 'Éditions du Seuil', '{Éditions du Seuil}'],
  ['Musée national d’histoire', 'Musée national d’histoire', '{Musée national d’histoire}'],
  ['Boileau & Narcejac', 'Boileau & Narcejac', '{Boileau \\& Narcejac}'],
  ['Hachette, Paris, Londres', 'Hachette, Paris, Londres', '{Hachette, Paris, Londres}'],
])('a bibliography takes « %s » apart where it is a person’s', async (nom, ris, bib) => {
  const house = await openHouse();
  const add = (auteur: string) =>
    house.ask('ana', 'POST', '/api/livres', {
      titre: 'Un',
      format: 'Physique',
      auteurs: [auteur],
      confirmerDoublon: true,
    });
  await add(nom);
  expect((await download(house, '/api/export/livres.bib')).bytes.toString()).toContain(
    `author = {${bib}},`,
  );
  const text = (await download(house, '/api/export/livres.ris')).bytes.toString();
  const written = /^AU {2}- (.*)\r$/m.exec(text)?.[1] ?? '';
  expect(written).toBe(ris);
  // An import reads the name as the same author's.
  await add(written);
  const { body } = await house.ask('ana', 'GET', '/api/auteurs');
  expect(body).toMatchObject([{ nombreLivres: 2 }]);
});

test('the table for Goodreads is read back as the same books', async () => {
  const house = await openHouse();
  await fill(house, 3);
  const { bytes } = await download(house, '/api/export/goodreads.csv');
  const response = await fetch(`${house.url}/api/importations`, {
    method: 'POST',
    headers: house.headersOf('ana'),
    body: new Uint8Array(bytes),
  });
  expect(await response.json()).toMatchObject({ format: 'goodreads', lignes: 12 });
});

test('an archive not read to its end releases the database', async () => {
  const house = await openHouse();
  await fill(house, 4);
  for (let times = 0; times < 5; times++) {
    const abort = new AbortController();
    await fetch(`${house.url}/api/export.zip`, { signal: abort.signal });
    abort.abort();
  }
  expect((await download(house, '/api/export.zip')).bytes.length).toBeGreaterThan(1000);
  await house.close();
});

test('an unreadable export is broken off without ending the service', async () => {
  const house = await openHouse();
  await fill(house, 5);
  house.context.database.write((tx) => tx.prepare('DROP TABLE LivreAuteur').run());
  const response = await fetch(`${house.url}/api/export.zip`, { headers: house.headersOf('ana') });
  await expect(response.arrayBuffer()).rejects.toThrow();
  expect((await house.ask(null, 'GET', '/api/sante')).status).toBe(200);
});
