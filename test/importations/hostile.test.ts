// @module-tag large
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openFile } from '#server/subjects/importations/sniff';
import { openHouse, type House } from '../support/house.ts';
import { send } from '../support/server.ts';
import { goodreads, utf16 } from './samples.ts';
import { importFile, sendFile } from './support.ts';

const HEADER = 'Book Id,Title,Author,Exclusive Shelf\n';
const MB = 1024 * 1024;

const CASES: Readonly<Record<string, () => string | Buffer>> = {
  nothing: () => '',
  blanks: () => ' \n\n ',
  'a header alone': () => HEADER,
  'no header': () => 'Dune,Frank Herbert,1965\nUbik,Philip K. Dick,1969\n',
  'a zip': () => Buffer.concat([Buffer.from('PK\x03\x04'), deflateRawSync(Buffer.alloc(9999))]),
  'a workbook': () => Buffer.from('PK\x03\x04\x14\x00[Content_Types].xml and so on', 'latin1'),
  'an old workbook': () => Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1', 'latin1'),
  'a binary': () => Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i * 31) % 256)),
  'a picture': () => Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  // NULs beyond the first decoded piece, from which the format is detected.
  'zeros far behind': () => `${HEADER}1,A${'\n'.repeat(300_000)}1,\0\0,B,read\n`,
  'a hundred thousand columns': () => `Title,Author${',x'.repeat(100_000)}\nA,B\n`,
  'a line of 10 MB': () => `${HEADER}1,${'x'.repeat(10 * MB)},B,read\n`,
  'a line of separators': () => `${HEADER}1,A,B,read\n${','.repeat(1_200_000)}`,
  'a list of ISBNs in a line of 10 MB': () => `9782070360024,${' '.repeat(10 * MB)}`,
  'a header of 10 MB': () => 'x'.repeat(10 * MB),
  'a quote never closed': () => `${HEADER}1,"A,B,read\n${'2,C,D,read\n'.repeat(100)}`,
  'a line more than it may have': () =>
    `${HEADER}${'1,A,B,read\n'.repeat(1000)}${'\n'.repeat(99_001)}`,
  'JSON cut off': () => '{"1": {"title": "A", "primaryauthor": "B"}, "2": {"title": "C',
  'JSON of something else': () => '[{"name": "A"}]',
  'thousands of lines of a name and a colon': () => 'a:b:c\n'.repeat(100_000),
  'lines of a name and a colon in one': () => `${'a:'.repeat(500_000)}\n`,
  'deep JSON': () => '['.repeat(200_000),
  'a record of XML of a million elements': () =>
    `<tellico xmlns="http://periapsis.org/tellico/"><entry><title>A</title>${'<a/>'.repeat(1e6)}</entry></tellico>`,
  'a record of a property list of a hundred thousand keys': () =>
    `<?xml version="1.0"?><plist><array><dict><key>title</key><string>A</string>${'<key>a</key><true/>'.repeat(1e5)}</dict></array></plist>`,
  'a hundred thousand entries of BibTeX and one': () => '@book{a, title = {A}}\n'.repeat(100_001),
  'UTF-16 of something else': () => utf16('Hello, world', 'le'),
};

async function expectNothing(house: House): Promise<void> {
  expect(house.context.database.revision()).toBe(0);
  expect((await house.ask('alice', 'GET', '/api/importations')).body).toEqual([]);
}

test.each(Object.entries(CASES))('refuses %s in a sentence', async (_, make) => {
  const house = await openHouse();
  const { status, body } = await sendFile(house, make(), { essai: 'false', nom: 'livres.csv' });
  expect([status, body]).toMatchObject([400, { code: 'FICHIER_INVALIDE' }]);
  expect(Reflect.get(body, 'message')).toMatch(/^[A-ZÀ-Ý].*\.$/s);
  await expectNothing(house);
  expect((await sendFile(house, goodreads({ Title: 'A' }))).status).toBe(200);
});

/** The detected format of a list of ISBNs, and its number of rows. */
async function readList(text: string): Promise<[format: string, rows: number]> {
  const file = await openFile(Buffer.from(text), { given: null, remembered: () => null });
  return [file.format, [...file.records].length];
}

test('a list has a hundred thousand ISBNs at most', async () => {
  const list = '9782070360024\n'.repeat(100_000);
  expect(await readList(list)).toEqual(['isbn', 100_000]);
  await expect(readList(`${list}9782070360024`)).rejects.toMatchObject({
    code: 'FICHIER_INVALIDE',
  });
});

test('a list of blank lines is read', async () => {
  const list = `9782070360024${'\n'.repeat(8 * MB)}9782070360024`;
  expect(await readList(list)).toEqual(['isbn', 2]);
});

/** The longest delay of the event loop during some work, as a share of its duration. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  const begin = performance.now();
  let [longest, isDone] = [0, false];
  const done = work.finally(() => (isDone = true));
  while (!isDone) {
    const start = performance.now();
    await setImmediate();
    longest = Math.max(longest, performance.now() - start);
  }
  await done;
  return longest / (performance.now() - begin);
}

test('reading a large file of combining marks delays no other request', async () => {
  const house = await openHouse();
  const marks = `${'e' + '\u0301\u0323'.repeat(100_000)},a\n`;
  const bytes = Buffer.from(`Title,Author\n${marks.repeat(60)}`);
  const sending = sendFile(house, bytes);
  expect(await longestTurn(sending)).toBeLessThan(0.5);
  expect((await sending).status).toBe(200);
});

test('more than 50 MiB is refused, with any media type', async () => {
  const house = await openHouse();
  const body = Buffer.alloc(50 * MB + 1, 'a');
  for (const type of ['text/csv', 'application/json', 'application/octet-stream']) {
    const headers = ['Content-Type', type];
    const { status } = await send(`${house.url}/api/importations`, {
      method: 'POST',
      headers,
      body,
    });
    expect(status).toBe(413);
  }
  await expectNothing(house);
});

/** Sends a complete body of unknown length before reading the response. */
async function sendThenRead(url: string, path: string, bytes: number): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunk = Buffer.alloc(MB, 'a');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  for (let sent = 0; sent < bytes; sent += MB) {
    socket.write(`${MB.toString(16)}\r\n`);
    socket.write(chunk);
    if (!socket.write('\r\n')) await once(socket, 'drain');
  }
  socket.write('0\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}

test.each([
  ['is too long', '', 60, ' 413 '],
  ['is refused at once', '?nom=a&nom=b', 12, ' 400 '],
])(
  'a client that sends a file of unknown length that %s gets the refusal',
  async (_, query, mb, status) => {
    const house = await openHouse();
    const answer = await sendThenRead(house.url, `/api/importations${query}`, mb * MB);
    expect(answer.split('\r\n')[0]).toContain(status);
    expect((await house.ask(null, 'GET', '/api/sante')).status).toBe(200);
  },
);

test('a file of 200 MB is refused before it ends', async () => {
  const house = await openHouse();
  const answer = await send(`${house.url}/api/importations`, {
    method: 'POST',
    headers: ['Content-Type', 'text/csv'],
    body: Buffer.alloc(200 * MB, 'a'),
  });
  expect([answer.status, answer.json()]).toMatchObject([413, { code: 'CORPS_TROP_GRAND' }]);
  await expectNothing(house);
});

test.each([
  [{ 'Sec-Fetch-Site': 'cross-site' }, 'text/plain'],
  [{ 'Sec-Fetch-Site': 'same-site' }, 'multipart/form-data; boundary=x'],
  [{ Origin: 'https://elsewhere.example' }, 'application/x-www-form-urlencoded'],
])('a file sent by another site’s page is refused: %o', async (headers, type) => {
  const house = await openHouse();
  const answer = await sendFile(house, goodreads({ Title: 'A' }), { essai: 'false' }, 'alice', {
    ...headers,
    'Content-Type': type,
  });
  expect([answer.status, answer.body]).toMatchObject([403, { code: 'ORIGINE_REFUSEE' }]);
  await expectNothing(house);
});

test.each(['application/json', 'text/plain', 'image/png'])(
  'a file may come as %s',
  async (type) => {
    const house = await openHouse();
    const answer = await sendFile(house, goodreads({ Title: 'A' }), {}, 'alice', {
      'Content-Type': type,
    });
    expect(answer.status).toBe(200);
  },
);

test.each([
  'colonnes=x',
  'colonnes=[]',
  'colonnes={"nom":"Titre"}',
  'colonnes={"titre":1}',
  'essai=peut-être',
  'aLire=non',
])('refuses the query %s', async (query) => {
  const house = await openHouse();
  const { status } = await sendFile(
    house,
    'Titre\nA\n',
    Object.fromEntries(new URLSearchParams(query)),
  );
  expect(status).toBe(400);
  await expectNothing(house);
});

test('a file that fails half way leaves nothing half written', async () => {
  const house = await openHouse();
  const { database } = house.context;
  database.write((tx) =>
    tx
      .prepare(
        `CREATE TRIGGER Fails BEFORE INSERT ON Livre
       WHEN new.titre = 'Titre 450' BEGIN SELECT raise(ABORT, 'no'); END`,
      )
      .run(),
  );
  const rows = Array.from({ length: 500 }, (_, i) => ({ Title: `Titre ${i}`, Author: `A ${i}` }));
  await expect(importFile(house, goodreads(...rows))).rejects.toThrow('ERREUR_INTERNE');
  expect(database.revision()).toBe(0);
  database.write((tx) => tx.prepare('DROP TRIGGER Fails').run());
  expect(await importFile(house, goodreads(...rows))).toMatchObject({ nouveaux: 500 });
});
