// @module-tag random
import { join } from 'node:path';
import fc from 'fast-check';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MAX_EXPORT_ID } from '#shared/export';
import { MAX_LENGTHS } from '#shared/fields';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { renewAll } from '#server/start/context';
import { play, steps } from '../export/random-household.ts';
import { temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { cases } from '../support/random.ts';

/** Tables that a restore or a start rewrites, and computed forms of names. */
const RENEWED = ['Installation', 'Generation', 'sqlite_sequence', 'AuteurForme'];

/** The rows that survive a start; the other rows of the table are unreferenced. */
const LEFT_AT_START: Readonly<Record<string, string>> = {
  CouvertureAdresse: 'WHERE adresse IN (SELECT couvertureAdresse FROM Couvert)',
};

/** All rows as SQLite stores them, including types. */
function rowsOf({ context }: House): Record<string, unknown[]> {
  const db = new Sqlite(context.database.options.path, { readonly: true });
  try {
    const tables = db
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
      .pluck()
      .all()
      .filter((table) => !RENEWED.includes(table));
    return Object.fromEntries(
      tables.map((table) => {
        const columns = db.prepare(`SELECT * FROM "${table}"`).columns();
        const cells = columns.map(({ name }) => `quote("${name}")`).join(` || ',' || `);
        const rows = `SELECT ${cells} FROM "${table}" ${LEFT_AT_START[table] ?? ''}`;
        return [table, db.prepare(rows).pluck().all().sort()];
      }),
    );
  } finally {
    db.close();
  }
}

/** The first ids: of a new household, around 32 bits, and around the limit of an archive. */
const FIRST_IDS = [0, 2 ** 31 - 3, 2 ** 32, MAX_EXPORT_ID - 20, MAX_EXPORT_ID + 5];

const sign = fc.constantFrom('a', 'É', '😀', '\u0301', '\u202e', "'", '"', '\\', ' x', '\u{1f468}');
const text = (most: number) =>
  fc.tuple(sign, fc.constantFrom(1, 2, most - 1, most)).map(([each, length]) =>
    Array.from({ length }, () => each)
      .join('')
      .slice(0, most),
  );
const nom = fc.oneof(
  text(60),
  fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty'),
);

const farBook = fc.record({
  titre: text(MAX_LENGTHS.titre),
  auteurs: fc.array(text(MAX_LENGTHS.nom), { maxLength: 3 }),
  themes: fc.array(nom, { maxLength: 3 }),
  annee: fc.constantFrom(null, 0, 1, 1000, 2100, 9999),
  nombrePages: fc.constantFrom(null, 1, 99_999, 100_000),
  format: fc.constant('Physique'),
  details: fc.uniqueArray(fc.record({ nom, valeur: text(2000) }), {
    maxLength: 4,
    selector: ({ nom: each }) => each.trim().toLowerCase(),
  }),
});

test('any household is restored from its backup row by row, and stays usable', async () => {
  const seen = { books: 0 };
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.array(farBook, { minLength: 3, maxLength: 8 }),
      fc.constantFrom(...FIRST_IDS),
      async (todo, books, firstId) => {
        const opened: House[] = [];
        const open = (house: House) => {
          opened.push(house);
          return house;
        };
        const house = open(await openHouse());
        try {
          house.context.database.write((tx) => {
            for (const table of ['Livre', 'Auteur', 'Serie', 'Souhait', 'Lecture', 'Pret'])
              tx.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, firstId);
          });
          await play(house, todo);
          for (const book of books) {
            const { status } = await house.ask('ana', 'POST', '/api/livres', book);
            // A value beyond its limits is refused with a message.
            expect([201, 400, 409]).toContain(status);
            if (status === 201) seen.books++;
          }
          // As each start does: a renamed author may have left initials with one full form (docs/rules.md § 14).
          renewAll(house.context.database);
          const before = rowsOf(house);
          const file = await makeBackup(house.context.database.options.path, temporaryFolder());
          const databasePath = join(temporaryFolder(), 'maison.sqlite');
          await restoreBackup(file.path, { databasePath });
          const restored = open(await openHouse(databasePath));
          expect(rowsOf(restored)).toEqual(before);
          const after = await restored.ask('ana', 'POST', '/api/livres', {
            titre: 'Après',
            format: 'Physique',
          });
          expect(after.status).toBe(201);
        } finally {
          for (const each of opened) await each.close();
        }
      },
    ),
    { ...cases(4), endOnFailure: true },
  );
  expect(seen.books).toBeGreaterThan(0);
});
