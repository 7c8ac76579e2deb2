import type { EtatCouvertures } from '#shared/couvertures';
import type { Database } from '#server/database/database';

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

export const waitingHosts = (database: Database): string[] =>
  database
    .prepare<[], { hote: string }>(
      "SELECT DISTINCT hote FROM CouvertureAdresse WHERE etat = 'attente'",
    )
    .all()
    .map(({ hote }) => hote);

/** The first addresses of a host that wait, in the order of the catalogue. */
export const waitingOf = (database: Database, hote: string, limit: number): Waiting[] =>
  database
    .prepare<[string, number], Waiting>(
      `SELECT ${COLUMNS} FROM CouvertureAdresse
       WHERE etat = 'attente' AND hote = ? ORDER BY groupe, ordre, adresse LIMIT ?`,
    )
    .all(hote, limit);

/** An address, while it waits. */
export const waitingAdresse = (database: Database, adresse: string): Waiting | undefined =>
  database
    .prepare<[string], Waiting>(
      `SELECT ${COLUMNS} FROM CouvertureAdresse WHERE adresse = ? AND etat = 'attente'`,
    )
    .get(adresse);

/** Whether an address has no picture yet. */
export const isMissing = (database: Database, adresse: string): boolean =>
  database
    .prepare<[string]>("SELECT 1 FROM CouvertureAdresse WHERE adresse = ? AND etat <> 'gardee'")
    .get(adresse) !== undefined;

/** Whether a record still has this address, or the ISBN that it stands for. */
export const isNamed = (database: Database, adresse: string): boolean =>
  database.get('SELECT 1 FROM Couvert WHERE couvertureAdresse = ?', adresse) !== undefined;

export const forgetAdresse = (database: Database, adresse: string): void => {
  database.prepare<[string]>('DELETE FROM CouvertureAdresse WHERE adresse = ?').run(adresse);
};

/** Remembers the picture that an address gave. */
export function writeKept(database: Database, adresse: string, cle: string, now: number): void {
  database
    .prepare<[string, number, string]>(
      `UPDATE CouvertureAdresse SET etat = 'gardee', cle = ?, demandeLe = ?, essais = 0,
         raison = NULL, prochainEssai = NULL
       WHERE adresse = ?`,
    )
    .run(cle, now, adresse);
}

/** The same for the address of a record, if it has one. */
export function writeKeptOf(database: Database, table: string, id: number, cle: string): void {
  const adresse = database.value<string | null>(
    `SELECT couvertureAdresse FROM ${table} WHERE id = ?`,
    id,
  );
  if (adresse) writeKept(database, adresse, cle, Date.now());
}

/** Has the next source asked for an address, after one that had nothing. */
export function writeNextSource(
  database: Database,
  { adresse, source }: Waiting,
  hote: string,
  now: number,
): void {
  database
    .prepare<[number, string, number, string]>(
      `UPDATE CouvertureAdresse SET source = ?, hote = ?, demandeLe = ?, essais = 0, raison = NULL
       WHERE adresse = ?`,
    )
    .run(source + 1, hote, now, adresse);
}

/** Takes a picture that is none from the ISBNs that it was kept for, until an instant. */
export const writePlaceholder = (database: Database, cle: string, prochainEssai: number): void => {
  database
    .prepare<[number, string]>(
      `UPDATE CouvertureAdresse SET etat = 'aucune', cle = NULL, prochainEssai = ?
       WHERE cle = ? AND adresse GLOB 'isbn:*'`,
    )
    .run(prochainEssai, cle);
};

/** The state of an address that gave no picture. */
interface Nothing {
  readonly etat: 'aucune' | 'plusTard';
  readonly raison: Raison | null;
  readonly essais: number;
  readonly demandeLe: number;
  readonly prochainEssai: number;
}

export function writeNothing(database: Database, adresse: string, nothing: Nothing): void {
  database
    .prepare<[Nothing & { adresse: string }]>(
      `UPDATE CouvertureAdresse SET etat = @etat, raison = @raison, essais = @essais,
         demandeLe = @demandeLe, prochainEssai = @prochainEssai
       WHERE adresse = @adresse`,
    )
    .run({ ...nothing, adresse });
}

/** When the next address is to be asked again; `null` where none is. */
export const nextDue = (database: Database): number | null =>
  database
    .prepare<[], { due: number | null }>(
      `SELECT min(prochainEssai) AS due FROM CouvertureAdresse
       WHERE etat IN ('aucune', 'plusTard')`,
    )
    .get()?.due ?? null;

/**
 * Puts back in the queue what is to be asked again by an instant; what had no picture begins at its
 * first source.
 *
 * @param hosts `withoutRefusing` leaves the addresses of hosts that have said when to come back
 */
export function wakeDue(
  database: Database,
  due: number,
  firstHost: string,
  hosts: 'all' | 'withoutRefusing' = 'all',
): void {
  const some = hosts === 'all' ? '' : "AND raison IS NOT 'refus'";
  database
    .prepare<[string, number]>(
      `UPDATE CouvertureAdresse SET
         hote = iif(etat = 'aucune' AND source > 0, ?, hote),
         source = iif(etat = 'aucune', 0, source), etat = 'attente'
       WHERE etat IN ('aucune', 'plusTard') AND prochainEssai <= ? ${some}`,
    )
    .run(firstHost, due);
}

/** Until when each host refuses requests, where that is in the future. */
export const refusedUntil = (database: Database, now: number): Map<string, number> =>
  new Map(
    database
      .prepare<[number], { hote: string; until: number }>(
        `SELECT hote, max(prochainEssai) AS until FROM CouvertureAdresse
         WHERE etat = 'plusTard' AND raison = 'refus' AND prochainEssai > ? GROUP BY hote`,
      )
      .all(now)
      .map(({ hote, until }) => [hote, until]),
  );

/** The counted requests since an instant, the earliest first. */
export const countedSince = (database: Database, since: number): number[] =>
  database
    .prepare<[number], { date: number }>(
      'SELECT date FROM CouvertureDemande WHERE date > ? ORDER BY date',
    )
    .all(since)
    .map(({ date }) => date);

/** Notes a counted request, and deletes those before an instant. */
export function writeCounted(database: Database, date: number, before: number): void {
  database.prepare<[number]>('DELETE FROM CouvertureDemande WHERE date <= ?').run(before);
  database.prepare<[number]>('INSERT INTO CouvertureDemande (date) VALUES (?)').run(date);
}

/** Those of these records' addresses that wait, in the order given; of another person's records none. */
export const adressesOf = (
  database: Database,
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
export function readEtat(database: Database): EtatCouvertures {
  const count = (etat: string): number =>
    database
      .prepare<[string], { n: number }>(
        'SELECT count(*) AS n FROM CouvertureAdresse WHERE etat = ?',
      )
      .get(etat)?.n ?? 0;
  const plusTard = database
    .prepare<[], { raison: Raison; nombre: number; prochainEssai: number }>(
      `SELECT raison, count(*) AS nombre, min(prochainEssai) AS prochainEssai
       FROM CouvertureAdresse WHERE etat = 'plusTard' GROUP BY raison ORDER BY raison`,
    )
    .all();
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
