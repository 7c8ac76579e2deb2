import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Reader, type Transaction } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import {
  deleteUnused,
  findAuteurs,
  findOrCreateAuteurs,
  insertRefus,
  listAuteurRecords,
  listRefus,
  DistinctSignatures,
  updateNoms,
} from '#server/subjects/auteurs/auteurs';
import { idPair } from '#server/subjects/auteurs/merging';
import { temporaryDatabase } from '../support/database.ts';
import { cases } from '../support/random.ts';

/** Two or three words with the same signature, abbreviated or not, in different cases. */
const nom = fc
  .tuple(
    fc.constantFrom('J.', 'J', 'Jean', 'Jo', 'Jules', 'Jeanne'),
    fc.constantFrom('', 'P.', 'Paul', 'Pierre', 'p', 'Po'),
    fc.constantFrom('Martin', 'Martin', 'Mártin', 'Mo Martin'),
    fc.nat(5),
  )
  .map(([first, second, family, style]) => {
    const givenNames = second === '' ? first : `${first} ${second}`;
    if (style === 0) return `${family}, ${givenNames}`;
    if (style === 1) return `${givenNames} ${family}`.toUpperCase();
    return style === 2 ? `${family} ${givenNames}` : `${givenNames} ${family}`;
  });

const rang = fc.nat(30);

/** A name to add; sometimes two authors are declared different, or one is deleted. */
const step = fc.record({
  nom,
  apart: fc.option(fc.tuple(rang, rang), { freq: 9 }),
  gone: fc.option(rang, { freq: 9 }),
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

class TakenBack extends Error {}

/** Runs all steps in a transaction, returns their results and final state, and rolls back. */
function ended(database: Database, steps: readonly Step[], before: (tx: Transaction) => void) {
  let end: unknown;
  const write = () =>
    database.write((tx) => {
      const answers = steps.map(({ nom, apart, gone }) => {
        before(tx);
        const ids = findOrCreateAuteurs(tx, [nom]);
        const all = listAuteurRecords(tx);
        const idOf = (place: number): number => all[place % all.length]?.id ?? 0;
        if (apart !== null && idOf(apart[0]) !== idOf(apart[1]))
          insertRefus(tx, idPair(idOf(apart[0]), idOf(apart[1])));
        if (gone !== null) deleteUnused(tx, [idOf(gone)]);
        return ids;
      });
      // The deletion may have left other authors that can be merged.
      const settled = new DistinctSignatures(tx);
      for (const { nom } of steps) {
        const asked = nom.replace('P', 'Q').replace('Jo', 'Joseph');
        expect(findAuteurs(tx, [asked], settled)).toEqual(findAuteurs(tx, [asked]));
      }
      end = { answers, auteurs: listAuteurRecords(tx), refus: listRefus(tx) };
      throw new TakenBack();
    });
  expect(write).toThrow(TakenBack);
  return end;
}

/** Rewrites an unchanged author, which invalidates the write's cache of distinct names. */
const forget = (tx: Transaction): void =>
  listAuteurRecords(tx)
    .slice(0, 1)
    .forEach((auteur) => updateNoms(tx, auteur));

test('many names of one write end as each by itself would', () => {
  const database = temporaryDatabase();
  fc.assert(
    fc.property(fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), (steps) => {
      expect(ended(database, steps, () => undefined)).toEqual(ended(database, steps, forget));
    }),
    cases(),
  );
});

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** A word of three letters, unique for each number. */
const word = (number: number) =>
  [1, 26, 676].map((each) => LETTERS[Math.floor(number / each) % 26]).join('');

test.each([
  ['all full', (rang: number) => `Pr${word(rang)} Martin`, 600],
  [
    'one of them initials that fit all',
    (rang: number) => `P${word(rang)}. Martin`.replace(/^Pdaa/, 'P'),
    600,
  ],
  [
    'every other one the initials of the next',
    (rang: number) =>
      rang % 2 === 0 ? `P. A${word(rang)} Martin` : `Pr A${word(rang - 1)} Martin`,
    300,
  ],
  [
    'each in two spellings',
    (rang: number) =>
      rang % 2 === 0 ? `PR${word(rang)} MARTIN`.toUpperCase() : `Pr${word(rang - 1)} Martin`,
    300,
  ],
])('a further name of a signature is compared with few of its many: %s', (_, nomOf, left) => {
  const database = temporaryDatabase();
  const read = vi.spyOn(Reader.prototype, 'all');
  database.write((tx) => {
    for (let rang = 0; rang < 600; rang++) findOrCreateAuteurs(tx, [nomOf(rang)]);
  });
  const rows = read.mock.results.reduce((sum, { value }) => sum + (value as unknown[]).length, 0);
  expect(listAuteurRecords(database)).toHaveLength(left);
  // Comparing each name with all previous ones would read 180,000 rows.
  expect(rows).toBeLessThan(600 * 6);

  read.mockClear();
  const settled = new DistinctSignatures(database);
  for (let rang = 0; rang < 600; rang++) findAuteurs(database, [nomOf(rang)], settled);
  const asked = read.mock.results.reduce((sum, { value }) => sum + (value as unknown[]).length, 0);
  expect(asked).toBeLessThan(600 * 6);
});
