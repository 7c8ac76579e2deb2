import { isDue } from './days.ts';
import type { Pret } from './prets.ts';
import { compareText, searchForm, textKey } from './text.ts';

/** A borrower, one per normalised name, in the first spelling (docs/rules.md § 11). */
export interface Emprunteur {
  readonly nom: string;
  readonly prets: readonly Pret[];
}

/** Everyone who has ever borrowed, latest borrower first; a person's loans by id. */
export function emprunteursOf(prets: Iterable<Pret>): Emprunteur[] {
  const groups = Map.groupBy([...prets].sort(byId), ({ emprunteur }) => textKey(emprunteur));
  return [...groups.values()]
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const last = own.reduce((date, { datePret }) => (datePret > date ? datePret : date), '');
      return [{ emprunteur: { nom: first.emprunteur, prets: own }, last }];
    })
    .sort((a, b) => compareText(b.last, a.last))
    .map(({ emprunteur }) => emprunteur);
}

/**
 * The names proposed for a typed text: those with a word that begins with it, then those that contain it, the latest
 * borrower first in each group. All for an empty text.
 */
export function proposeEmprunteurs(
  emprunteurs: readonly Emprunteur[],
  typed: string,
  limit = 8,
): string[] {
  const part = searchForm(typed);
  const named = emprunteurs.map(({ nom }) => ({ nom, text: ` ${searchForm(nom)}` }));
  const begins = named.filter(({ text }) => text.includes(` ${part}`));
  const contains = named.filter(({ text }) => !text.includes(` ${part}`) && text.includes(part));
  return [...begins, ...contains].slice(0, limit).map(({ nom }) => nom);
}

/** The open loans by person, the oldest first, among the persons and within each. */
export const openPretsByEmprunteur = (prets: Iterable<Pret>): Emprunteur[] =>
  emprunteursOf(prets)
    .map(({ nom, prets: own }) => ({ nom, prets: own.filter(isOpen).sort(byDate) }))
    .filter(({ prets: open }) => open.length > 0)
    .sort((a, b) => compareText(a.prets[0]?.datePret ?? '', b.prets[0]?.datePret ?? ''));

/** After so many months a book is to be claimed (docs/rules.md § 11). */
const MONTHS_BEFORE_CLAIM = 3;

/** Whether a loan is to be claimed: from the due day on, else after three months. */
export function isToClaimAt(now: Date): (pret: Pret) => boolean {
  const before = monthsBefore(now, MONTHS_BEFORE_CLAIM).toISOString();
  return ({ datePret, dateRetourPrevue }) =>
    dateRetourPrevue === null ? datePret < before : isDue(dateRetourPrevue, now);
}

export function pretsToClaim(prets: Iterable<Pret>, now: Date): Emprunteur[] {
  const isToClaim = isToClaimAt(now);
  return openPretsByEmprunteur(prets)
    .map(({ nom, prets: own }) => ({ nom, prets: own.filter(isToClaim) }))
    .filter(({ prets: due }) => due.length > 0);
}

/** The same day of an earlier month, or the last day of that month. */
function monthsBefore(date: Date, months: number): Date {
  const earlier = new Date(date);
  earlier.setUTCDate(1);
  earlier.setUTCMonth(earlier.getUTCMonth() - months);
  const days = new Date(
    Date.UTC(earlier.getUTCFullYear(), earlier.getUTCMonth() + 1, 0),
  ).getUTCDate();
  earlier.setUTCDate(Math.min(date.getUTCDate(), days));
  return earlier;
}

const isOpen = ({ dateRetour }: Pret): boolean => dateRetour === null;
const byId = (a: Pret, b: Pret): number => a.id - b.id;
const byDate = (a: Pret, b: Pret): number => compareText(a.datePret, b.datePret);
