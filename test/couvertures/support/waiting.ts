import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { NoImage } from '#server/subjects/couvertures/sources';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { temporaryDatabase, temporaryFolder } from '../../support/database.ts';
import { playFetcher, type Answer } from './played.ts';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** A fetcher on an empty database, for one test. */
export function play(delayMs?: number) {
  const folder = temporaryFolder();
  const database = temporaryDatabase(join(folder, 'maison.sqlite'));
  const played = playFetcher(database, join(folder, 'couvertures'), delayMs);
  onTestFinished(() => played.fetcher.stop());
  return { database, ...played, played };
}

/** The n-th ISBN. */
export const isbnOf = (n: number): string => `978${String(n).padStart(10, '0')}`;

/** A book whose title sorts by its number. */
export const insert = (
  database: Transaction,
  n: number,
  fields: { coverUrl?: string; isbn?: string } = {},
) =>
  database
    .prepare<[string, string, string | null, string | null]>(
      `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, coverUrl, isbn, dateAjout)
       VALUES (?, ?, 'x', 'Physique', ?, ?, '2026-01-01T00:00:00.000Z')`,
    )
    .run(`Livre ${n}`, String(n).padStart(6, '0'), fields.coverUrl ?? null, fields.isbn ?? null);

/** Books that are inserted in another order than the catalogue's. */
export const addMany = (database: Database, count: number, of: (n: number) => object) =>
  database.write((tx) => {
    for (let n = count; n >= 1; n--) insert(tx, n, of(n));
  });

/** A response with this error status. */
export const fails =
  (status: number, retryAfterMs: number | null = null): Answer =>
  () =>
    Promise.reject(new NoImage(status, retryAfterMs));

/** The stored state of an address. */
export const stateOf = (database: Database, adresse: string) =>
  database
    .prepare<[string], { etat: string; raison: string | null; prochainEssai: number | null }>(
      'SELECT etat, raison, prochainEssai FROM CouvertureAdresse WHERE adresse = ?',
    )
    .get(adresse);
