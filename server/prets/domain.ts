import type { Pret } from '#shared/prets';
import { Refusal } from '#shared/refusals';
import type { Base } from '#server/database/base';
import { estViolation } from '#server/database/violations';
import { formatDuLivre } from '#server/livres/store';
import { clorePret, lirePret, ouvrirPret, pretOuvertDuLivre, pretsDuLivre } from './store.ts';

/**
 * Lends a paper book that is at home. That a book has one open loan at most is the schema's own
 * rule (specification « Loan (Pret) »), so it holds for two writers at once, too.
 */
export function preter(base: Base, livreId: number, emprunteur: string): Pret {
  return base.write(() => {
    const format = formatDuLivre(base, livreId);
    if (format === undefined) throw new Refusal('INTROUVABLE');
    if (format === 'Numerique') throw new Refusal('LIVRE_NUMERIQUE');
    try {
      const id = ouvrirPret(base, livreId, emprunteur, new Date().toISOString());
      return pret(base, id);
    } catch (error) {
      const ouvert = pretOuvertDuLivre(base, livreId);
      if (!estViolation(error, 'Pret_ouvert_unique') || ouvert === undefined) throw error;
      throw new Refusal('DEJA_PRETE', { emprunteur: ouvert.emprunteur });
    }
  });
}

/** Closes a loan, which stays in the book's history; closing it again changes nothing. */
export function rendre(base: Base, id: number): Pret {
  return base.write(() => {
    clorePret(base, id, new Date().toISOString());
    return pret(base, id);
  });
}

/** The loans of a book, newest first. */
export function histoire(base: Base, livreId: number): Pret[] {
  if (formatDuLivre(base, livreId) === undefined) throw new Refusal('INTROUVABLE');
  return pretsDuLivre(base, livreId);
}

function pret(base: Base, id: number): Pret {
  const trouve = lirePret(base, id);
  if (trouve === undefined) throw new Refusal('INTROUVABLE');
  return trouve;
}
