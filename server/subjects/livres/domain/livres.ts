import type { Livre, LivreSaisi, LivreSaisiEnSerie, SerieDuLivre } from '#shared/livres';
import { found, Refusal } from '#shared/refusals';
import { findAuteurs, findOrCreateAuteurs } from '#server/subjects/auteurs/domain/auteurs';
import { deleteUnused } from '#server/subjects/auteurs/store/auteurs';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { refusingUnder } from '#server/plumbing/common/entry';
import { requireEmplacement } from '#server/subjects/emplacements';
import type { Breach } from '#server/plumbing/records/kind';
import * as series from '#server/subjects/series/placement';
import { readLivre } from '../store/document.ts';
import * as store from '../store/livres.ts';
import { areSimilar } from './doublons.ts';
import { readEntry } from './entry.ts';
import { requireLivre } from './presence.ts';

/** One book as its reader sees it. Throws `INTROUVABLE`. */
export const lireLivre = (database: Reader, id: number, utilisateur: string | null): Livre =>
  found(readLivre(database, id, utilisateur));

/** Adds a book and its place. Throws `DOUBLON` for one that resembles others, unless `confirmed`. */
export function ajouterLivre(
  database: Transaction,
  { place = null, emplacementId, ...saisie }: LivreSaisiEnSerie,
  { confirmed, utilisateur }: { confirmed: boolean; utilisateur: string | null },
): Livre {
  const { livre, noms } = readEntry(saisie);
  // Duplicates are compared by author records, so these are made first; a refusal rolls them back.
  const auteurs = findOrCreateAuteurs(database, noms);
  const similaires = confirmed ? [] : findSimilarLivres(database, livre, auteurs);
  if (similaires.length > 0)
    throw new Refusal('DOUBLON', {
      similaires: similaires.map((id) => lireLivre(database, id, utilisateur)),
    });
  const id = insertEntry(database, livre, auteurs, utilisateur);
  placerLivre(database, id, place);
  if (emplacementId !== undefined) rangerLivre(database, id, emplacementId);
  return lireLivre(database, id, utilisateur);
}

/**
 * Adds a book that is wanted although it may resemble others, and returns its id. Call it in the
 * transaction of a larger work: it is twice as fast as `ajouterLivre`.
 */
export function addLivreEntry(
  database: Transaction,
  saisie: LivreSaisi,
  utilisateur: string | null,
  dateAjout?: string,
): number {
  const { livre, noms } = readEntry(saisie);
  const auteurs = findOrCreateAuteurs(database, noms);
  return insertEntry(database, livre, auteurs, utilisateur, dateAjout);
}

function insertEntry(
  database: Transaction,
  livre: store.LivreFields,
  auteurs: readonly number[],
  utilisateur: string | null,
  dateAjout = new Date().toISOString(),
): number {
  const id = store.insertLivre(database, livre, utilisateur, dateAjout);
  store.insertAuteursOfLivre(database, id, auteurs);
  return id;
}

/** Puts a book into a series, or takes it out (docs/rules.md § 19). */
export function placerEnSerie(database: Transaction, id: number, place: SerieDuLivre): void {
  series.placerEnSerie(database, lireLivre(database, id, null), place);
}

/** The same, as a part of the entry of a book. */
function placerLivre(database: Transaction, id: number, place: SerieDuLivre | null): void {
  if (place !== null) refusingUnder('place', () => placerEnSerie(database, id, place));
}

/**
 * Rewrites a whole book, and moves it where `place` says. Throws `LIVRE_PRETE` where a lent book would
 * become an ebook.
 */
export function modifierLivre(
  database: Transaction,
  id: number,
  { place = null, emplacementId, ...saisie }: LivreSaisiEnSerie,
): void {
  const { livre, noms } = readEntry(saisie);
  requireLivre(database, id);
  if (livre.format === 'Numerique') requireReturned(database, id);
  const previous = store.auteursOfLivre(database, id);
  store.updateLivre(database, id, livre);
  store.writeAuteursOfLivre(database, id, findOrCreateAuteurs(database, noms));
  deleteUnused(database, previous);
  placerLivre(database, id, place);
  if (emplacementId !== undefined) rangerLivre(database, id, emplacementId);
}

/** Rewrites some fields of a book. Throws `LIVRE_PRETE` where a lent book would become an ebook. */
export function modifierChamps(
  database: Transaction,
  id: number,
  champs: Partial<
    Pick<Livre, 'format' | 'typeDocument' | 'editeur' | 'annee' | 'nombrePages' | 'emplacementId'>
  >,
): void {
  requireLivre(database, id);
  if (champs.format === 'Numerique') requireReturned(database, id);
  store.updateLivre(database, id, champs);
}

/** Puts a book into a location, or takes it out. Throws for a location that is not there. */
export function rangerLivre(database: Transaction, id: number, emplacementId: number | null): void {
  requireEmplacement(database, emplacementId);
  modifierChamps(database, id, { emplacementId });
}

/** Deletes a book with its loans and statuses. Throws `LIVRE_PRETE` while it is lent. */
export function supprimerLivre(database: Transaction, id: number): void {
  requireLivre(database, id);
  requireReturned(database, id);
  const auteurs = store.auteursOfLivre(database, id);
  store.deleteLivre(database, id);
  deleteUnused(database, auteurs);
}

/** The loan of a book that is lent although it is an ebook, which only an undoing may bring about. */
export function findLentEbook(
  database: Reader,
  id: number,
): (Pick<Breach, 'rows'> & { readonly emprunteur: string }) | null {
  const pret = store.openPretOfLivre(database, id);
  if (pret === undefined || store.readFormat(database, id) !== 'Numerique') return null;
  const { emprunteur } = pret;
  return { emprunteur, rows: [['Livre', id] as const, ['Pret', pret.id] as const] };
}

function requireReturned(database: Reader, livreId: number): void {
  const pret = store.openPretOfLivre(database, livreId);
  if (pret) throw new Refusal('LIVRE_PRETE', { emprunteur: pret.emprunteur });
}

/**
 * The books that one of these authors would be a duplicate of, as `ajouterLivre` would tell, without
 * writing anything (docs/rules.md § 10).
 */
export function listSimilaires(
  database: Reader,
  livre: Pick<store.LivreFields, 'isbn' | 'cleOeuvre'>,
  noms: readonly string[],
): number[] {
  return findSimilarLivres(database, livre, findAuteurs(database, noms));
}

function findSimilarLivres(
  database: Reader,
  livre: Pick<store.LivreFields, 'isbn' | 'cleOeuvre'>,
  auteurs: readonly number[],
): number[] {
  return store
    .livresByIsbnOrCle(database, livre.isbn, livre.cleOeuvre)
    .map((other) => ({ ...other, auteurs: store.auteursOfLivre(database, other.id) }))
    .filter((other) => areSimilar({ ...livre, auteurs }, other))
    .map(({ id }) => id);
}
