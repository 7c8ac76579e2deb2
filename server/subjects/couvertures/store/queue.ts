import type { EtatCouvertures } from '#shared/couvertures';
import type { Row } from '#shared/change-reader';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** Why an address is asked again later. */
export type Raison = EtatCouvertures['plusTard'][number]['raison'];

/** An address whose picture is to be fetched. */
export interface Waiting {
  readonly adresse: string;
  readonly hote: string;
  /** How many sources have had nothing. */
  readonly source: number;
  /** How often the present source has failed. */
  readonly essais: number;
}

const COLUMNS = 'adresse, hote, source, essais';

export const waitingHosts = (database: Reader): string[] =>
  database.values<string>("SELECT DISTINCT hote FROM CouvertureAdresse WHERE etat = 'attente'");

/** The first addresses of a host that wait, in the order of the catalogue. */
export const waitingOf = (database: Reader, hote: string, limit: number): Waiting[] =>
  database.all<Waiting>(
    `SELECT ${COLUMNS} FROM CouvertureAdresse
       WHERE etat = 'attente' AND hote = ? ORDER BY groupe, ordre, adresse LIMIT ?`,
    hote,
    limit,
  );

/** An address, while it waits. */
export const waitingAdresse = (database: Reader, adresse: string): Waiting | undefined =>
  database.get<Waiting>(
    `SELECT ${COLUMNS} FROM CouvertureAdresse WHERE adresse = ? AND etat = 'attente'`,
    adresse,
  );

/** Whether an address has no picture yet. */
export const isMissing = (database: Reader, adresse: string): boolean =>
  database.get(
    "SELECT 1 FROM CouvertureAdresse WHERE adresse = ? AND etat <> 'gardee'",
    adresse,
  ) !== undefined;

/** Whether a record still has this address, or the ISBN that it stands for. */
export const isNamed = (database: Reader, adresse: string): boolean =>
  database.get('SELECT 1 FROM Couvert WHERE couvertureAdresse = ?', adresse) !== undefined;

export const forgetAdresse = (database: Transaction, adresse: string): void => {
  database.run('DELETE FROM CouvertureAdresse WHERE adresse = ?', adresse);
};

/** Rewrites what is known of an address. */
function rewrite(database: Transaction, adresse: string, values: Row): void {
  const assignments = Object.keys(values).map((name) => `${name} = @${name}`);
  database.run(`UPDATE CouvertureAdresse SET ${assignments.join(', ')} WHERE adresse = @adresse`, {
    ...values,
    adresse,
  });
}

/** Remembers the picture that an address gave. */
export function writeKept(database: Transaction, adresse: string, cle: string, now: number): void {
  const asked = { demandeLe: now, essais: 0, raison: null, prochainEssai: null };
  rewrite(database, adresse, { etat: 'gardee', cle, ...asked });
}

/** The same for the address of a record, if it has one. */
export function writeKeptOf(database: Transaction, table: string, id: number, cle: string): void {
  const adresse = database.value<string | null>(
    `SELECT couvertureAdresse FROM ${table} WHERE id = ?`,
    id,
  );
  if (adresse) writeKept(database, adresse, cle, Date.now());
}

/** Has the next source asked for an address, after one that had nothing. */
export function writeNextSource(
  database: Transaction,
  { adresse, source }: Waiting,
  hote: string,
  now: number,
): void {
  const next = { source: source + 1, hote, demandeLe: now, essais: 0, raison: null };
  rewrite(database, adresse, next);
}

/** Takes a picture that is none from the ISBNs that it was kept for, until an instant. */
export const writePlaceholder = (
  database: Transaction,
  cle: string,
  prochainEssai: number,
): void => {
  database.run(
    `UPDATE CouvertureAdresse SET etat = 'aucune', cle = NULL, prochainEssai = ?
       WHERE cle = ? AND adresse GLOB 'isbn:*'`,
    prochainEssai,
    cle,
  );
};

/** The state of an address that gave no picture. */
interface Nothing {
  readonly etat: 'aucune' | 'plusTard';
  readonly raison: Raison | null;
  readonly essais: number;
  readonly demandeLe: number;
  readonly prochainEssai: number;
}

export function writeNothing(database: Transaction, adresse: string, nothing: Nothing): void {
  rewrite(database, adresse, { ...nothing });
}

/** When the next address is to be asked again; `null` where none is. */
export const nextDue = (database: Reader): number | null =>
  database.value<number | null>(
    "SELECT min(prochainEssai) FROM CouvertureAdresse WHERE etat IN ('aucune', 'plusTard')",
  ) ?? null;

/**
 * Puts back in the queue what is to be asked again by an instant; what had no picture begins at its
 * first source.
 *
 * @param hosts `withoutRefusing` leaves the addresses of hosts that have said when to come back
 */
export function wakeDue(
  database: Transaction,
  due: number,
  firstHost: string,
  hosts: 'all' | 'withoutRefusing' = 'all',
): void {
  const some = hosts === 'all' ? '' : "AND raison IS NOT 'refus'";
  database.run(
    `UPDATE CouvertureAdresse SET
         hote = iif(etat = 'aucune' AND source > 0, ?, hote),
         source = iif(etat = 'aucune', 0, source), etat = 'attente'
       WHERE etat IN ('aucune', 'plusTard') AND prochainEssai <= ? ${some}`,
    firstHost,
    due,
  );
}

/** Until when each host refuses requests, where that is in the future. */
export const refusedUntil = (database: Reader, now: number): Map<string, number> =>
  new Map(
    database
      .all<{ hote: string; until: number }>(
        `SELECT hote, max(prochainEssai) AS until FROM CouvertureAdresse
         WHERE etat = 'plusTard' AND raison = 'refus' AND prochainEssai > ? GROUP BY hote`,
        now,
      )
      .map(({ hote, until }) => [hote, until]),
  );

/** The counted requests since an instant, the earliest first. */
export const countedSince = (database: Reader, since: number): number[] =>
  database.values<number>('SELECT date FROM CouvertureDemande WHERE date > ? ORDER BY date', since);

/** Notes a counted request, and deletes those before an instant. */
export function writeCounted(database: Transaction, date: number, before: number): void {
  database.run('DELETE FROM CouvertureDemande WHERE date <= ?', before);
  database.run('INSERT INTO CouvertureDemande (date) VALUES (?)', date);
}

/** Those of these records' addresses that wait, in the order given; of another person's records none. */
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

/** Counts the covers by what is known of them. */
export function readEtat(database: Reader): EtatCouvertures {
  const count = (etat: string): number =>
    database.value<number>('SELECT count(*) FROM CouvertureAdresse WHERE etat = ?', etat) ?? 0;
  const plusTard = database.all<{ raison: Raison; nombre: number; prochainEssai: number }>(
    `SELECT raison, count(*) AS nombre, min(prochainEssai) AS prochainEssai
       FROM CouvertureAdresse WHERE etat = 'plusTard' GROUP BY raison ORDER BY raison`,
  );
  return {
    gardees: count('gardee'),
    attente: count('attente'),
    aucune: count('aucune'),
    plusTard: plusTard.map(({ prochainEssai, ...row }) => ({
      ...row,
      prochainEssai: new Date(prochainEssai).toISOString(),
    })),
  };
}
