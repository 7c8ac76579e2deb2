import { expect, test, vi } from 'vitest';
import { openHouse, type House } from '../support/house.ts';
import { souhaiter, souhaiterRevue } from '../support/souhaits.ts';

async function download(house: House, nom: string, utilisateur = 'ana') {
  const response = await fetch(`${house.url}/api/souhaits/${nom}`, {
    headers: house.headersOf(utilisateur),
  });
  expect(response.status).toBe(200);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
    await response.arrayBuffer(),
  );
  return { headers: response.headers, text };
}

async function openLists(): Promise<House> {
  const house = await openHouse();
  await souhaiter(house, 'ana', { titre: 'Zadig', auteur: 'Voltaire' });
  await souhaiter(house, 'ana', { titre: 'Les Mille et Une Nuits' });
  await souhaiter(house, 'ana', {
    titre: 'L’Étranger',
    auteur: 'Albert Camus',
    isbn: '2070360024',
  });
  await souhaiter(house, 'ana', { titre: 'La Peste ; suite', auteur: 'ALBERT CAMUS' });
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers', numero: '12 bis', issn: '09882480' });
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers', numero: 'HS 3' });
  await souhaiterRevue(house, 'ana', { titre: 'Rivages' });
  await souhaiter(house, 'bob', { titre: 'Le secret de Bob' });
  return house;
}

test('the text is by author, with ranks, periodicals apart', async () => {
  const { headers, text } = await download(await openLists(), 'export.txt');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="souhaits-\d{4}-\d\d-\d\d\.txt"$/,
  );
  const [titre, ...rest] = text.split('\n\n');
  expect(titre).toMatch(/^Liste de souhaits du \d{1,2}(?:er)? \p{L}+ \d{4}$/u);
  expect(rest.join('\n\n')).toBe(
    [
      'LIVRES\n',
      'Albert Camus\n  3. L’Étranger — ISBN 978-2-07-036002-4\n  4. La Peste ; suite\n',
      'Voltaire\n  1. Zadig\n',
      'Auteur non précisé\n  2. Les Mille et Une Nuits\n',
      'REVUES\n',
      '  1. Cahiers, n°\u00a012 bis — ISSN 0988-2480\n  2. Cahiers, HS 3\n  3. Rivages\n',
    ].join('\n'),
  );
});

test('an exported list bears the day of the house', async () => {
  const house = await openLists();
  vi.stubEnv('TZ', 'Europe/Paris');
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-02-28T23:30:00Z') });
  const [text, table] = await Promise.all([
    download(house, 'export.txt'),
    download(house, 'export.csv'),
  ]).finally(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
  expect(text.text).toMatch(/^Liste de souhaits du 1er mars 2026\n/);
  expect(text.headers.get('content-disposition')).toContain('"souhaits-2026-03-01.txt"');
  expect(table.headers.get('content-disposition')).toContain('"souhaits-2026-03-01.csv"');
});

test('the table has a BOM, semicolons, CRLF and hyphenated codes', async () => {
  const { headers, text } = await download(await openLists(), 'export.csv');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="souhaits-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(text).toBe(
    [
      '\ufeffType;Rang;Titre;Auteur;Numéro;Code',
      'Livre;1;Zadig;Voltaire;;',
      'Livre;2;Les Mille et Une Nuits;;;',
      'Livre;3;L’Étranger;Albert Camus;;978-2-07-036002-4',
      'Livre;4;"La Peste ; suite";ALBERT CAMUS;;',
      'Revue;1;Cahiers;;12 bis;0988-2480',
      'Revue;2;Cahiers;;HS 3;',
      'Revue;3;Rivages;;;',
      '',
    ].join('\r\n'),
  );
});

test('a spreadsheet sees no formula, with any first character', async () => {
  const house = await openHouse();
  for (const [index, sign] of ['=', '+', '-', '@', '＝', '＋', '－', '＠'].entries()) {
    const reader = `lecteur ${String(index)}`;
    const formula = `${sign}HYPERLINK("http://exemple.fr";"a")`;
    await souhaiter(house, reader, { titre: formula, auteur: `${sign}1` });
    await souhaiterRevue(house, reader, { titre: `${sign}2`, numero: `${sign}3` });
    const [, livre, revue] = (await download(house, 'export.csv', reader)).text.split('\r\n');
    expect(livre).toBe(`Livre;1;"'${sign}HYPERLINK(""http://exemple.fr"";""a"")";'${sign}1;;`);
    expect(revue).toBe(`Revue;1;'${sign}2;;'${sign}3;`);
  }
});

test('a cell beginning with tab or carriage return is harmless', async () => {
  const house = await openHouse();
  await souhaiter(house, 'ana', { titre: 'A' });
  for (const blank of ['\t', '\r']) {
    house.context.database.write((tx) =>
      tx.prepare<[string]>('UPDATE Souhait SET titre = ?').run(`${blank}=1`),
    );
    expect((await download(house, 'export.csv')).text).toContain(`'${blank}'=1`);
  }
});

test('a title with a line break stays on its line', async () => {
  const house = await openHouse();
  await souhaiter(house, 'ana', { titre: 'Un\r\n9. Faux', auteur: 'A\nB' });
  expect((await download(house, 'export.csv')).text).toContain('Livre;1;Un 9. Faux;A B;;\r\n');
  expect((await download(house, 'export.txt')).text).toContain('\n\nA B\n  1. Un 9. Faux\n');
});

test('an empty list is a file, too', async () => {
  const house = await openHouse();
  expect((await download(house, 'export.csv')).text).toBe(
    '\ufeffType;Rang;Titre;Auteur;Numéro;Code\r\n',
  );
  expect((await download(house, 'export.txt')).text).toMatch(/\n\nLa liste est vide\.\n$/);
});
