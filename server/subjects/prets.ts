import type { FastifyInstance } from 'fastify';
import type { Row } from '#shared/change-reader';
import * as api from '#shared/prets';
import { Pret } from '#shared/prets';
import { champRefusal, found, Refusal } from '#shared/refusals';
import { textKey } from '#shared/text';
import { enteredInstant } from '#server/plumbing/common/entry';
import {
  documentSource,
  insertRow,
  readDocument,
  readDocuments,
  updateRow,
  renewRows,
  refusingTwins,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import type { RecordKind } from '#server/plumbing/records/kind';
import { findLentEbook } from '#server/subjects/livres/livres';
import {
  lireLivre,
  openPretOfLivre,
  readFormat,
  requireLivre,
} from '#server/subjects/livres/source';

const source = documentSource('Pret', Pret);

export const readPret = (database: Reader, id: number): Pret | undefined =>
  readDocument(database, source, 'WHERE d.id = ?', id);

/** All loans of a book, newest first. */
export const pretsOfLivre = (database: Reader, livreId: number): Pret[] =>
  readDocuments(
    database,
    source,
    'WHERE d.livreId = ? ORDER BY d.datePret DESC, d.id DESC',
    livreId,
  );

const keysOf = ({ emprunteur }: Pick<Pret, 'emprunteur'>) => ({
  emprunteurNormalise: textKey(emprunteur),
});

/** Inserts a loan, open without a `dateRetour`, and returns its id; violates a unique index where one is open. */
export const insertPret = (
  tx: Transaction,
  pret: Pick<Pret, 'livreId' | 'emprunteur' | 'datePret'> & Partial<Pick<Pret, 'dateRetour'>>,
): number => insertRow(tx, 'Pret', { ...pret, ...keysOf(pret) });

/** Deletes a loan as if it had never been. */
export function deletePret(tx: Transaction, id: number): void {
  tx.run('DELETE FROM Pret WHERE id = ?', id);
}

const lentTo = (emprunteur: unknown): string => `Le livre est prêté à ${String(emprunteur)}.`;

export const kind: RecordKind<'prets'> = {
  source,
  tables: {
    Pret: {
      partOf: ['livreId', 'Livre'],
      isOver: ({ dateRetour }) => dateRetour !== null,
      fields: ['emprunteur', 'datePret', 'dateRetour'],
      findBreach(database, { livreId }) {
        const lent = findLentEbook(database, Number(livreId));
        return lent && { raison: 'Le livre est devenu numérique depuis.', rows: lent.rows };
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
  renormaliser: (tx) => renewRows<Pret & ReturnType<typeof keysOf>>(tx, 'Pret', keysOf),
};

/** Why a loan is not as an act left it: lent again, returned, open again, corrected, or gone with its book. */
function changed(database: Reader, { id, dateRetour }: Row): string {
  const pret = readPret(database, Number(id));
  if (pret === undefined) return 'Le livre a été supprimé depuis.';
  const open = openPretOfLivre(database, pret.livreId);
  if (open !== undefined && open.id !== pret.id) return lentTo(open.emprunteur);
  if (pret.dateRetour === dateRetour) return 'Le prêt a été corrigé depuis.';
  return pret.dateRetour === null ? 'Le livre n’est plus rendu.' : 'Le livre a été rendu depuis.';
}

const DAY_MS = 86_400_000;

/**
 * When a loan begins: now where nothing is said, and where a device's clock is less than a day ahead.
 * Throws `REQUETE_INVALIDE` for what is no instant, or one to come.
 */
export function datePretOf(typed: string | undefined): string {
  const now = new Date();
  const date = typed === undefined ? now : enteredInstant(typed, 'datePret');
  if (date.getTime() > now.getTime() + DAY_MS)
    throw champRefusal('datePret', 'Un prêt ne commence pas dans l’avenir.');
  return (date < now ? date : now).toISOString();
}

/** A borrower as other loans first spelled the name, else as typed (docs/rules.md § 11). */
export const spelledAsKnown = (database: Reader, typed: string, exceptId = 0): string =>
  database.value<string>(
    'SELECT emprunteur FROM Pret WHERE emprunteurNormalise = ? AND id <> ? ORDER BY id LIMIT 1',
    textKey(typed),
    exceptId,
  ) ?? typed;

/**
 * Lends a paper book that is at home; a unique index lets one loan a book be open. Throws `LIVRE_NUMERIQUE`,
 * `DEJA_PRETE`, `INTROUVABLE`.
 */
export function preter(
  tx: Transaction,
  livreId: number,
  typed: string,
  datePret = datePretOf(undefined),
): Pret {
  if (found(readFormat(tx, livreId)) === 'Numerique') throw new Refusal('LIVRE_NUMERIQUE');
  const emprunteur = spelledAsKnown(tx, typed);
  const id = refusingTwins(
    ['Pret.livreId'],
    () => insertPret(tx, { livreId, emprunteur, datePret }),
    () => {
      const open = openPretOfLivre(tx, livreId);
      return open && new Refusal('DEJA_PRETE', { emprunteur: open.emprunteur });
    },
  );
  return found(readPret(tx, id));
}

/** Closes a loan, not before it began, by whatever clock; a closed one stays as it is. Throws `INTROUVABLE`. */
export function rendre(tx: Transaction, id: number): Pret {
  tx.run(
    'UPDATE Pret SET dateRetour = max(?, datePret) WHERE id = ? AND dateRetour IS NULL',
    new Date().toISOString(),
    id,
  );
  return found(readPret(tx, id));
}

export function routes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, api.preter, ({ tx, params, body }) =>
    preter(tx, params.id, body.emprunteur, datePretOf(body.datePret)),
  );

  mount(app, api.modifierPret, ({ tx, params: { id }, body }) => {
    const { dateRetour } = found(readPret(tx, id));
    const datePret = datePretOf(body.datePret);
    if (dateRetour !== null && datePret > dateRetour)
      throw champRefusal('datePret', 'Un prêt ne commence pas après son retour.');
    const pret = { emprunteur: spelledAsKnown(tx, body.emprunteur, id), datePret };
    updateRow(tx, 'Pret', id, { ...pret, ...keysOf(pret) });
    return found(readPret(tx, id));
  });

  mount(app, api.listerPretsOfLivre, ({ params }) => {
    requireLivre(database, params.id);
    return pretsOfLivre(database, params.id);
  });

  mount(app, api.listerPretsEnCours, ({ utilisateur }) =>
    database.read(() =>
      readDocuments(database, source, 'WHERE d.dateRetour IS NULL ORDER BY d.datePret, d.id').map(
        (pret) => ({ ...pret, livre: lireLivre(database, pret.livreId, utilisateur) }),
      ),
    ),
  );

  mount(app, api.rendre, ({ tx, params }) => rendre(tx, params.id));
}
