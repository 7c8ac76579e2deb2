import type { Row } from '#shared/change-reader';
import type { EtatCouvertures } from '#shared/couvertures';
import { DAY_MS } from '#shared/days';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

// Addresses that wait for their picture are in the table `CouvertureAdresse`, filled by triggers
// (migrations/025-adresses-des-couvertures.sql). `CouvertureDemande` has the counted requests of
// the last minutes.

/** The first and the second source of an ISBN, as that table names them; these are no host names. */
export const ISBN_HOST = 'isbn';
export const BNF_HOST = 'bnf';

export type Raison = EtatCouvertures['plusTard'][number]['raison'];

export interface WaitingAddress {
  readonly adresse: string;
  readonly hote: string;
  /** How many sources had no picture. */
  readonly source: number;
  /** How often the present source has failed. */
  readonly essais: number;
}

const WAITING = `SELECT adresse, hote, source, essais FROM CouvertureAdresse WHERE etat = 'attente'`;

export const waitingHosts = (database: Reader): string[] =>
  database.values<string>("SELECT DISTINCT hote FROM CouvertureAdresse WHERE etat = 'attente'");

export const waitingByAdresse = (database: Reader, adresse: string): WaitingAddress | undefined =>
  database.get<WaitingAddress>(`${WAITING} AND adresse = ?`, adresse);

/** The first of a host, in the catalogue's order. */
export const firstWaiting = (database: Reader, hote: string, limit: number): WaitingAddress[] =>
  database.all<WaitingAddress>(
    `${WAITING} AND hote = ? ORDER BY groupe, ordre, adresse LIMIT ?`,
    hote,
    limit,
  );

/** The waiting addresses of these records in the given order; none of another person's records. */
export const adressesOf = (
  database: Reader,
  ids: Readonly<Record<string, readonly number[]>>,
  utilisateur: string | null,
): string[] =>
  Object.entries(ids).flatMap(([collection, some]) =>
    database.values<string>(
      `SELECT a.adresse FROM Couvert d
         JOIN CouvertureAdresse a ON a.adresse = d.couvertureAdresse AND a.etat = 'attente'
         JOIN json_each(@ids) i ON i.value = d.id
       WHERE d.collection = @collection AND d.id IN (SELECT value FROM json_each(@ids))
         AND d.utilisateur IN ('', @utilisateur)
       ORDER BY i.key`,
      { collection, ids: JSON.stringify(some), utilisateur },
    ),
  );

/** Whether an address is known and has no picture yet. */
export const lacksPicture = (database: Reader, adresse: string): boolean =>
  database.value(
    "SELECT 1 FROM CouvertureAdresse WHERE adresse = ? AND etat <> 'gardee'",
    adresse,
  ) !== undefined;

/** Counts all covers by state. */
export function countCovers(database: Reader): EtatCouvertures {
  const count = (etat: string): number =>
    database.value<number>('SELECT count(*) FROM CouvertureAdresse WHERE etat = ?', etat) ?? 0;
  const plusTard = database
    .all<{ raison: Raison; nombre: number; prochainEssai: number }>(
      `SELECT raison, count(*) AS nombre, min(prochainEssai) AS prochainEssai
       FROM CouvertureAdresse WHERE etat = 'plusTard' GROUP BY raison ORDER BY raison`,
    )
    .map((row) => ({ ...row, prochainEssai: new Date(row.prochainEssai).toISOString() }));
  return { gardees: count('gardee'), attente: count('attente'), aucune: count('aucune'), plusTard };
}

/** The hosts that refuse requests, with the time of the last retry. */
export const refusingHosts = (database: Reader, now: number): { hote: string; until: number }[] =>
  database.all<{ hote: string; until: number }>(
    `SELECT hote, max(prochainEssai) AS until FROM CouvertureAdresse
     WHERE etat = 'plusTard' AND raison = 'refus' AND prochainEssai > ? GROUP BY hote`,
    now,
  );

/** How long until an address without a picture is tried again. */
const NONE_MS = 30 * DAY_MS;
/** A longer wait was written by a clock that was ahead. */
const MAX_AHEAD_MS = 2 * NONE_MS;

export function nextDue(database: Reader, now: number): number {
  const instant = (which: 'min' | 'max') =>
    database.value<number | null>(
      `SELECT ${which}(prochainEssai) FROM CouvertureAdresse WHERE etat IN ('aucune', 'plusTard')`,
    );
  return (instant('max') ?? 0) > now + MAX_AHEAD_MS ? now : (instant('min') ?? Infinity);
}

/**
 * Requeues the addresses due for a retry, and those whose retry is too far in the future.
 *
 * @param also a further SQL condition
 */
export function wake(tx: Transaction, due: number, also = ''): void {
  letWait(
    tx,
    `etat IN ('aucune', 'plusTard') AND prochainEssai NOT BETWEEN ? AND ? ${also}`,
    due + 1,
    due + MAX_AHEAD_MS,
  );
}

/** An address whose source failed retries that source; any other begins with its first source. */
export function letWait(tx: Transaction, which: string, ...values: readonly unknown[]): void {
  tx.run(
    `UPDATE CouvertureAdresse SET
         hote = iif(etat <> 'plusTard' AND hote = '${BNF_HOST}', '${ISBN_HOST}', hote),
         source = iif(etat = 'plusTard', source, 0), cle = NULL, etat = 'attente'
       WHERE ${which}`,
    ...values,
  );
}

export const writeStored = (
  tx: Transaction,
  adresse: string,
  cle: string,
  demandeLe: number,
): void => writeAsked(tx, adresse, demandeLe, { etat: 'gardee', cle, prochainEssai: null });

export const writeNone = (tx: Transaction, adresse: string, demandeLe: number): void =>
  writeAsked(tx, adresse, demandeLe, { etat: 'aucune', prochainEssai: demandeLe + NONE_MS });

/** @param values the columns to write */
export function writeAsked(tx: Transaction, adresse: string, demandeLe: number, values: Row): void {
  const row: Row = { essais: 0, raison: null, ...values, demandeLe };
  const assignments = Object.keys(row).map((name) => `${name} = @${name}`);
  const sql = `UPDATE CouvertureAdresse SET ${assignments.join(', ')} WHERE adresse = @adresse`;
  tx.run(sql, { ...row, adresse });
}

const NAMED = 'SELECT 1 FROM Couvert WHERE couvertureAdresse = @adresse';

export const isNamed = (database: Reader, adresse: string): boolean =>
  database.value(NAMED, { adresse }) !== undefined;

/** Unless a record has taken the address meanwhile. */
export const deleteUnnamed = (tx: Transaction, adresse: string): unknown =>
  tx.run(`DELETE FROM CouvertureAdresse WHERE adresse = @adresse AND NOT EXISTS (${NAMED})`, {
    adresse,
  });

/** Open Library allows 100 covers by ISBN in five minutes; five seconds are added for its clock. */
export const COUNTED_MS = 5 * 60_000 + 5_000;

/** When the counted requests of the last minutes began, earliest first. */
export const countedRequests = (database: Reader, now: number): number[] =>
  database.values<number>(
    'SELECT date FROM CouvertureDemande WHERE date > ? ORDER BY date',
    now - COUNTED_MS,
  );

export function writeCounted(tx: Transaction, date: number): void {
  tx.run('DELETE FROM CouvertureDemande WHERE date <= ?', date - COUNTED_MS);
  tx.run('INSERT INTO CouvertureDemande (date) VALUES (?)', date);
}
