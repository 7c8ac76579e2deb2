import type { Pret, PretCorrige } from '#shared/prets';
import { champRefusal, found, Refusal } from '#shared/refusals';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { enteredInstant } from '#server/plumbing/common/entry';
import { refusingTwins } from '#server/plumbing/database/violations';
import { requireLivre } from '#server/subjects/livres/domain/presence';
import { openPretOfLivre, readFormat } from '#server/subjects/livres/store/livres';
import {
  closePret,
  firstSpelling,
  insertPret,
  pretsOfLivre,
  readPret,
  rewritePret,
} from './store.ts';

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

/**
 * Lends a paper book that is at home. A unique index guarantees one open loan a book, so this is
 * correct for concurrent writers, too. A borrower is one person by normalised name and keeps the
 * first spelling (docs/rules.md § 11). Throws `LIVRE_NUMERIQUE`, `DEJA_PRETE`.
 */
export function preter(
  database: Transaction,
  livreId: number,
  typed: string,
  datePret = datePretOf(undefined),
): Pret {
  if (found(readFormat(database, livreId)) === 'Numerique') throw new Refusal('LIVRE_NUMERIQUE');
  const emprunteur = firstSpelling(database, typed) ?? typed;
  const id = refusingTwins(
    ['Pret.livreId'],
    () => insertPret(database, { livreId, emprunteur, datePret }),
    () => {
      const open = openPretOfLivre(database, livreId);
      return open && new Refusal('DEJA_PRETE', { emprunteur: open.emprunteur });
    },
  );
  return found(readPret(database, id));
}

/**
 * Corrects to whom a book is lent, and since when. A name that only this loan has is spelled as typed.
 * Throws `REQUETE_INVALIDE` for a loan that would begin after its return.
 */
export function modifierPret(database: Transaction, id: number, typed: PretCorrige): Pret {
  const { dateRetour } = found(readPret(database, id));
  const datePret = datePretOf(typed.datePret);
  if (dateRetour !== null && datePret > dateRetour)
    throw champRefusal('datePret', 'Un prêt ne commence pas après son retour.');
  const emprunteur = firstSpelling(database, typed.emprunteur, id) ?? typed.emprunteur;
  rewritePret(database, id, { emprunteur, datePret });
  return found(readPret(database, id));
}

/** Closes a loan, which stays in the book's history; closing it again changes nothing. */
export function rendre(database: Transaction, id: number): Pret {
  closePret(database, id, new Date().toISOString());
  return found(readPret(database, id));
}

/** The loans of a book, newest first. Throws `INTROUVABLE`. */
export function listPretsOfLivre(database: Reader, livreId: number): Pret[] {
  requireLivre(database, livreId);
  return pretsOfLivre(database, livreId);
}
