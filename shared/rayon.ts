import type { LivreDocument } from './livres.ts';

/** With a smaller share of its books in order, a shelf has no order to show. */
const KNOWN_SHARE = 0.75;

export interface Rayon {
  /** Those of unknown place come last, as they were given. */
  readonly livres: readonly LivreDocument[];
  /** How many of the first have a known place; 0 for a shelf without an order. */
  readonly rangs: number;
}

/** In their known order (docs/rules.md § 51); `livres` are given as they are shown without one. */
export function rayonOf(livres: readonly LivreDocument[]): Rayon {
  const known = livres
    .flatMap((livre) => (livre.rang === null ? [] : { livre, rang: livre.rang }))
    .sort((a, b) => a.rang - b.rang || a.livre.id - b.livre.id)
    .map(({ livre }) => livre);
  if (known.length < livres.length * KNOWN_SHARE) return { livres, rangs: 0 };
  const others = livres.filter(({ rang }) => rang === null);
  return { livres: [...known, ...others], rangs: known.length };
}

/** Ids from left to right: a book that was not scanned stays behind the one that it followed. */
export function orderSeen<T>(before: readonly T[], seen: readonly T[]): T[] {
  const isSeen = new Set(seen);
  const first: T[] = [];
  const followers = new Map([...isSeen].map((id) => [id, [id]]));
  let run = first;
  for (const id of before) {
    const own = followers.get(id);
    if (own === undefined) run.push(id);
    else run = own;
  }
  return [first, ...followers.values()].flat();
}
