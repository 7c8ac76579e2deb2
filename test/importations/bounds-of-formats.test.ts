// @module-tag large
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '#server/plumbing/common/error-body';
import { openFile } from '#server/subjects/importations/sniff';
import { openHouse } from '../support/house.ts';
import { FORMATS, type Format, type Values } from './made-files.ts';
import { sendFile } from './support.ts';

// Each format with each limit: a file that exceeds it, and the refusal (docs/rules.md § 35). The thread limits time and
// memory for all formats alike (bounds.test.ts).

const cases = Object.entries(FORMATS);

test('each format of the readers has its files here', () => {
  const folder = 'server/subjects/importations/formats';
  const sources = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  const named = sources.flatMap((source) => [
    ...source.matchAll(/\bformat: '(\w+)',\s+programme:/g),
  ]);
  const names = new Set([...named.map(([, name]) => name), 'table', 'librarything']);
  expect([...names, 'ods'].toSorted()).toEqual(Object.keys(FORMATS).toSorted());
});

/** The refusal of a file, or its remarks and records. */
async function saidOf(file: string | Buffer): Promise<string> {
  try {
    const bytes = typeof file === 'string' ? Buffer.from(file) : file;
    const opened = await openFile(bytes, { given: null, remembered: () => null });
    const notes = Array.from(opened.records, ({ record }) => record.notes ?? []).flat();
    return [...opened.avertissements, ...notes].join('\n');
  } catch (error) {
    if (isRefusal(error) && error.code === 'FICHIER_INVALIDE') return JSON.stringify(error.details);
    throw error;
  }
}

function* repeated(count: number, values: Values = []): Generator<Values> {
  for (let at = 0; at < count; at++) yield values;
}

const MANY = 1_000_001;
const mot = ['note', 'mot'] as const;

/** Names of properties that every JavaScript object has. */
const OBJECT_NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];

describe.each(cases)('%s', (_, { file, beyond, maxRecords = 100_000 }) => {
  test('has so many records at most', async () => {
    expect(await saidOf(file(repeated(maxRecords + 2)))).toContain(`"${beyond.records}"`);
  });

  test('has so many characters in a value at most', async () => {
    const values = [['note', 'mot '.repeat(750_000)] as const];
    expect(await saidOf(file([values]))).toContain(`"${beyond.length}"`);
  });

  test('takes a name that objects of JavaScript have for a name like any other', async () => {
    const house = await openHouse();
    const values = OBJECT_NAMES.map((name) => [name, 'mot'] as const);
    const { status, body } = await sendFile(house, file([values]));
    expect([status, body]).toMatchObject([200, { etat: 'essai' }]);
  });

  test('is read beside the service', async () => {
    const house = await openHouse();
    const sending = sendFile(house, file([Array.from({ length: 500 }, () => mot)]));
    expect((await house.ask('bruno', 'GET', '/api/livres')).status).toBe(200);
    expect([200, 400]).toContain((await sending).status);
  });
});

/** The formats with such a part, and the part. */
const having = <T>(part: (format: Format) => T | null | undefined) =>
  cases.flatMap(([name, format]) => {
    const had = part(format);
    return had === null || had === undefined ? [] : [{ name, file: format.file, had }];
  });

test.each(having(({ beyond }) => beyond.names))(
  '$name has so many names at most',
  async ({ file, had }) => {
    const names = Array.from({ length: 1_101 }, (_, at) => [`name${at}`, 'mot'] as const);
    expect(await saidOf(file([names]))).toContain(`"${had}"`);
  },
);

test.each(having(({ beyond }) => beyond.values))(
  '$name has so many values in a record at most',
  async ({ file, had }) => {
    const values = Array.from({ length: MANY }, () => mot);
    expect(await saidOf(file([values]))).toContain(`"${had}"`);
  },
);

test.each(having(({ beyond }) => beyond.levels))(
  '$name has so many levels at most',
  async ({ had: [make, said] }) => {
    expect(await saidOf(make())).toContain(`"${said}"`);
  },
);

test.each(having(({ unpacked }) => unpacked))(
  '$name is so long at most, unpacked',
  async ({ had: make }) => {
    expect(await saidOf(make())).toContain('"archiveTropGrande"');
  },
);
