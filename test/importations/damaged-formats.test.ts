// @module-tag random
import { describe, expect, test } from 'vitest';
import { isRefusal } from '#server/plumbing/common/error-body';
import { cleanRow } from '#server/subjects/importations/rows';
import { openFile } from '#server/subjects/importations/sniff';
import { random, runs, SEED } from '../support/random.ts';
import { FORMATS, type Values } from './made-files.ts';

// Each format with each damage: truncated, changed or inserted bytes; a file is read, or refused with a message.

/** The number of rows, or the refusal. */
async function outcomeOf(bytes: Buffer): Promise<number | string> {
  try {
    const file = await openFile(bytes, { given: null, remembered: () => null });
    let count = 0;
    for (const { record } of file.records) {
      cleanRow(record, 'statut', file.monthFirst);
      count++;
    }
    return count;
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

async function expectReadOrRefused(bytes: Buffer, what: string): Promise<void> {
  expect(String(await outcomeOf(bytes)), what).toMatch(/^(?:\d+|FICHIER_INVALIDE)$/);
}

const VALUES: Values = [
  ['publisher', 'Éditions du Port'],
  ['isbn', '9782070360024'],
  ['comments', 'Une « note », deux lignes'],
  ['x', '1'],
];

/** Values with a special meaning in text, XML, YAML or JSON. */
const VALUES_OF_TROUBLE: readonly string[] = [
  'a\0b',
  '\ud800',
  '\udfff a',
  '\ufffe\uffff\u0001\u0008',
  '\u202e\u2028\u0085',
  'e' + '\u0301'.repeat(5_000),
  '&a; &#0; &#xffffffff; ]]> <!-- <![CDATA[',
  '*a &b !c %d @e `f {{ [[ - ? : |',
  '\\u{110000} \\x \\" {\\"a} $^{_{',
  '=cmd|x!A1',
];

const NAMES_OF_TROUBLE = [
  '__proto__',
  'constructor',
  'a b',
  'x'.repeat(50_000),
  'é',
  '1',
  '\u0301',
];

const bytesOf = (file: string | Buffer): Buffer =>
  typeof file === 'string' ? Buffer.from(file) : file;

describe.each(Object.entries(FORMATS))('%s', (_, { file }) => {
  test('is read or refused wherever it is cut', async () => {
    const { integer } = random(SEED);
    const intact = bytesOf(file([VALUES, VALUES, VALUES]));
    expect(await outcomeOf(intact)).toBeGreaterThan(0);
    for (let played = 0; played < runs(25); played++) {
      const end = integer(intact.length);
      await expectReadOrRefused(intact.subarray(0, end), `cut at ${String(end)}`);
    }
  });

  test('is read or refused with any bytes changed', async () => {
    const { integer } = random(SEED + 1);
    const intact = bytesOf(file([VALUES, VALUES, VALUES]));
    for (let played = 0; played < runs(25); played++) {
      const changed = Buffer.from(intact);
      const places = Array.from({ length: 1 + integer(4) }, () => integer(intact.length));
      for (const at of places) changed[at] = integer(256);
      await expectReadOrRefused(changed, `changed at ${places.join(', ')}`);
    }
  });

  test.each(VALUES_OF_TROUBLE)('is read or refused with %j in its values', async (value) => {
    const values: Values = [['note', value], ...VALUES, ['title', value]];
    await expectReadOrRefused(bytesOf(file([values, VALUES])), 'in a value');
  });

  test.each(NAMES_OF_TROUBLE.map((name) => [name.slice(0, 20), name]))(
    'is read or refused with a name %j',
    async (__, name) => {
      await expectReadOrRefused(bytesOf(file([[[name, 'mot'], ...VALUES], VALUES])), 'as a name');
    },
  );
});
