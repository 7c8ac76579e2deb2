import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import type { Row } from '#shared/change-reader';
import { DAY_MS } from '#shared/days';
import * as api from '#shared/prets';
import { Pret, type PretSaisi } from '#shared/prets';
import { emptyToNull } from '#shared/fields';
import { champRefusal, found, Refusal } from '#shared/refusals';
import { textKey } from '#shared/text';
import { calendarText } from '#server/plumbing/common/calendar';
import { enteredInstant, requireFormat } from '#server/plumbing/common/entry';
import { FORMATS } from '#server/plumbing/common/schemas';
import {
  documentProjection,
  insertRow,
  readDocument,
  readDocuments,
  updateRow,
  renewedLine,
  renewRows,
  refusingTwins,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount, attach } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import type { RecordKind } from '#server/plumbing/records/kind';
import { findLentWrongly } from '#server/subjects/livres/livres';
import {
  isBorrowed,
  requireLivre,
  openPretOfLivre,
  readFormat,
  requireLivreId,
} from '#server/subjects/livres/read';

const projection = documentProjection('Pret', Pret);

const readPret = (database: Reader, id: number): Pret | undefined =>
  readDocument(database, projection, 'WHERE d.id = ?', id);

export const pretsOfLivre = (database: Reader, livreId: number): Pret[] =>
  readDocuments(
    database,
    projection,
    'WHERE d.livreId = ? ORDER BY d.datePret DESC, d.id DESC',
    livreId,
  );

const keysOf = ({ emprunteur }: Pick<Pret, 'emprunteur'>) => ({
  emprunteurNormalise: textKey(emprunteur),
});

type PretFields = Pick<Pret, 'emprunteur' | 'datePret' | 'dateRetourPrevue'>;

/** Violates a unique index where the book has an open loan; a loan is open without a `dateRetour`. */
export const insertPret = (
  tx: Transaction,
  pret: PretFields &
    Pick<Pret, 'livreId'> &
    Partial<Pick<Pret, 'dateRetour'>> & { readonly id?: number | null },
): number => insertRow(tx, 'Pret', { ...pret, ...keysOf(pret) });

const lentTo = (emprunteur: unknown): string =>
  m.reason_livre_prete({ emprunteur: String(emprunteur) });

export const kind: RecordKind<'prets'> = {
  projection,
  tables: {
    Pret: {
      partOf: ['livreId', 'Livre'],
      isOver: ({ dateRetour }) => dateRetour !== null,
      derived: ['emprunteurNormalise'],
      fields: ['emprunteur', 'datePret', 'dateRetourPrevue', 'dateRetour'],
      findRuleViolation(database, { livreId }) {
        const lent = findLentWrongly(database, Number(livreId));
        const raison = isBorrowed(database, Number(livreId))
          ? m.reason_livre_emprunte()
          : m.reason_livre_numerique();
        return lent && { raison, rows: lent.rows };
      },
      reasons: {
        changed,
        taken(database, { livreId }) {
          const open = openPretOfLivre(database, Number(livreId));
          return open === undefined ? null : lentTo(open.emprunteur);
        },
        added: (_, { emprunteur }) => lentTo(emprunteur),
      },
    },
  },
  renormaliser: (tx) =>
    renewRows<Pret & ReturnType<typeof keysOf>>(tx, 'Pret', (pret) => {
      const emprunteur = renewedLine(pret.emprunteur);
      return { emprunteur, ...keysOf({ emprunteur }) };
    }),
};

/**
 * Explains how a loan differs from the modification: lent again, returned, open again, corrected, or deleted with its
 * book.
 */
function changed(database: Reader, { id, dateRetour }: Row): string {
  const pret = readPret(database, Number(id));
  if (pret === undefined) return m.reason_livre_supprime();
  const open = openPretOfLivre(database, pret.livreId);
  if (open !== undefined && open.id !== pret.id) return lentTo(open.emprunteur);
  if (pret.dateRetour === dateRetour) return m.reason_pret_corrige();
  return pret.dateRetour === null ? m.reason_plus_rendu() : m.reason_livre_rendu();
}

/**
 * A loan begins now by default, also if a device's clock is less than a day ahead. Throws `REQUETE_INVALIDE` for
 * impossible dates.
 */
export function enteredPret({ emprunteur, ...typed }: PretSaisi): PretFields {
  const now = new Date().toISOString();
  const begun =
    typed.datePret === undefined ? now : enteredInstant(typed.datePret, 'datePret').toISOString();
  const datePret = begun < now ? begun : now;
  const dateRetourPrevue = emptyToNull(typed.dateRetourPrevue);
  if (dateRetourPrevue !== null) requireFormat('date', dateRetourPrevue, 'dateRetourPrevue');
  requirePossible({ datePret: begun, dateRetour: null, dateRetourPrevue: null });
  requirePossible({ datePret, dateRetour: null, dateRetourPrevue });
  return { emprunteur, datePret, dateRetourPrevue };
}

type PretDates = Pick<Pret, 'datePret' | 'dateRetour' | 'dateRetourPrevue'>;

function requirePossible(dates: PretDates): void {
  const obstacle = findPretObstacle(dates);
  if (obstacle !== null) throw champRefusal(obstacle.champ, obstacle.code);
}

/** The date of a loan that contradicts the others, with the reason; `null` if none does. */
export function findPretObstacle({ datePret, dateRetour, dateRetourPrevue }: PretDates): {
  readonly champ: 'datePret' | 'dateRetourPrevue';
  readonly code: 'PRET_A_VENIR' | 'PRET_APRES_RETOUR' | 'RENDU_AVANT_PRET';
} | null {
  if (Date.parse(datePret) > Date.now() + DAY_MS)
    return { champ: 'datePret', code: 'PRET_A_VENIR' };
  if (dateRetour !== null && Date.parse(datePret) > Date.parse(dateRetour))
    return { champ: 'datePret', code: 'PRET_APRES_RETOUR' };
  return dateRetourPrevue !== null && endsBeforeItBegins({ datePret, dateRetourPrevue })
    ? { champ: 'dateRetourPrevue', code: 'RENDU_AVANT_PRET' }
    : null;
}

/** Days depend on the zone, so that a day before is accepted. */
export const endsBeforeItBegins = (
  pret: Pick<Pret, 'datePret'> & { readonly dateRetourPrevue: string },
): boolean => Date.parse(pret.dateRetourPrevue) + DAY_MS < Date.parse(pret.datePret) - DAY_MS / 2;

/** A borrower in the spelling of the first other loan, else as typed (docs/rules.md § 11). */
export const spelledAsKnown = (database: Reader, typed: string, exceptId = 0): string =>
  database.value<string>(
    'SELECT emprunteur FROM Pret WHERE emprunteurNormalise = ? AND id <> ? ORDER BY id LIMIT 1',
    textKey(typed),
    exceptId,
  ) ?? typed;

/** The name that was typed, where the loans that were written spell it otherwise. */
export const typedOtherwise = (
  { emprunteur }: Pick<Pret, 'emprunteur'>,
  typed: string,
): { readonly emprunteurSaisi?: string } =>
  emprunteur === typed ? {} : { emprunteurSaisi: typed };

const withTyped = (pret: Pret, typed: string) => ({ ...pret, ...typedOtherwise(pret, typed) });

/**
 * A unique index allows one open loan a book. Throws `LIVRE_NUMERIQUE`, `LIVRE_EMPRUNTE`, `DEJA_PRETE`,
 * `INTROUVABLE`.
 */
export function preter(tx: Transaction, livreId: number, pret: PretFields): Pret {
  requireToLend(tx, livreId);
  const emprunteur = spelledAsKnown(tx, pret.emprunteur);
  const id = refusingTwins(
    ['Pret.livreId'],
    () => insertPret(tx, { ...pret, livreId, emprunteur }),
    () => {
      const open = openPretOfLivre(tx, livreId);
      return open && new Refusal('DEJA_PRETE', { emprunteur: open.emprunteur });
    },
  );
  return found(readPret(tx, id));
}

/**
 * Moves a book's loans to another record of it, under new ids, since a loan is cascaded and restored with its book.
 * Throws `FICHES_PRETEES` if both are lent, `LIVRE_NUMERIQUE` and `LIVRE_EMPRUNTE`.
 */
export function passPrets(tx: Transaction, from: number, to: number): void {
  const open = openPretOfLivre(tx, from);
  const other = openPretOfLivre(tx, to);
  if (open !== undefined && other !== undefined)
    throw new Refusal('FICHES_PRETEES', { emprunteurs: [other.emprunteur, open.emprunteur] });
  if (open !== undefined) requireToLend(tx, to);
  const prets = pretsOfLivre(tx, from);
  tx.run('DELETE FROM Pret WHERE livreId = ?', from);
  for (const { id: _, ...pret } of prets.toReversed()) insertPret(tx, { ...pret, livreId: to });
}

function requireToLend(database: Reader, livreId: number): void {
  if (found(readFormat(database, livreId)) === 'Numerique') throw new Refusal('LIVRE_NUMERIQUE');
  if (isBorrowed(database, livreId)) throw new Refusal('LIVRE_EMPRUNTE');
}

/** A loan never ends before it begins, whatever the clock; a closed one is unchanged. Throws `INTROUVABLE`. */
export function rendre(tx: Transaction, id: number): Pret {
  tx.run(
    'UPDATE Pret SET dateRetour = max(?, datePret) WHERE id = ? AND dateRetour IS NULL',
    new Date().toISOString(),
    id,
  );
  return found(readPret(tx, id));
}

function echeances(database: Reader): string {
  const prets = database
    .all<
      Pick<Pret, 'id' | 'emprunteur'> & { titre: string; dateRetourPrevue: string; version: number }
    >(
      `SELECT p.id, titre, emprunteur, dateRetourPrevue, coalesce(version, revision) AS version
       FROM Pret p JOIN Livre l ON l.id = livreId JOIN Journal j ON j.collection = 'prets' AND j.id = p.id
       WHERE dateRetour IS NULL AND dateRetourPrevue IS NOT NULL ORDER BY dateRetourPrevue, p.id`,
    )
    // Older versions accepted invalid days.
    .filter(({ dateRetourPrevue }) => FORMATS.date.is(dateRetourPrevue))
    .map(({ id, titre, emprunteur, dateRetourPrevue, version }) => ({
      uid: `pret-${id}@rayonnage`,
      sequence: version,
      day: dateRetourPrevue,
      summary: m.calendar_pret({ titre, emprunteur }),
    }));
  const emprunts = database
    .all<{
      readonly id: number;
      readonly titre: string;
      readonly nom: string;
      readonly aRendre: string;
      readonly version: number;
    }>(
      `SELECT l.id, titre, emprunteA ->> 'nom' AS nom, emprunteA ->> 'aRendre' AS aRendre,
         coalesce(version, revision) AS version
       FROM Livre l JOIN Journal j ON j.collection = 'livres' AND j.id = l.id
       WHERE emprunteA ->> 'aRendre' IS NOT NULL ORDER BY aRendre, l.id`,
    )
    .map(({ id, titre, nom, aRendre, version }) => ({
      uid: `emprunt-${id}@rayonnage`,
      sequence: version,
      day: aRendre,
      summary: m.calendar_emprunt({ titre, nom }),
    }));
  const prodId = `//Rayonnage//Loans//${m.locale().toUpperCase()}`;
  return calendarText(m.calendar_name(), prodId, [...prets, ...emprunts]);
}

export function routes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, [
    operation(api.preter, {
      may: 'household',
      run: (tx, { params, body }) =>
        answer(withTyped(preter(tx, params.id, enteredPret(body)), body.emprunteur)),
    }),
    operation(api.modifierPret, {
      may: 'household',
      run: (tx, { params: { id }, body }) => {
        const { dateRetour } = found(readPret(tx, id));
        const entered = enteredPret(body);
        requirePossible({ ...entered, dateRetour });
        const pret = { ...entered, emprunteur: spelledAsKnown(tx, body.emprunteur, id) };
        updateRow(tx, 'Pret', id, { ...pret, ...keysOf(pret) });
        return answer(withTyped(found(readPret(tx, id)), body.emprunteur));
      },
    }),
    read(api.listerPretsOfLivre, {
      may: 'household',
      run: ({ params }) => {
        requireLivreId(database, params.id);
        return pretsOfLivre(database, params.id);
      },
    }),
    read(api.listerPretsEnCours, {
      may: 'household',
      run: ({ utilisateur }) =>
        database.read(() =>
          readDocuments(
            database,
            projection,
            'WHERE d.dateRetour IS NULL ORDER BY d.datePret, d.id',
          ).map((pret) => ({ ...pret, livre: requireLivre(database, pret.livreId, utilisateur) })),
        ),
    }),
    read(api.exporterEcheances, {
      may: 'household',
      run: ({ reply }) => {
        attach(reply, api.exporterEcheances.type, 'echeances.ics');
        return echeances(database);
      },
    }),
    operation(api.rendre, {
      may: 'household',
      run: (tx, { params }) => answer(rendre(tx, params.id)),
    }),
  ]);
}
