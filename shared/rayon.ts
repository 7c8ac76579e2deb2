import type { LivreDocument } from './livres.ts';

/** A shelf with a smaller share of known positions is shown without an order. */
const KNOWN_SHARE = 0.75;

export interface Rayon {
  /** Books of unknown position come last, in the given order. */
  readonly livres: readonly LivreDocument[];
  /** How many of the first books have a known position; 0 for a shelf without an order. */
  readonly rangs: number;
}

/** Sorts books by position (docs/rules.md § 51); `livres` are given in their order without one. */
export function rayonOf(livres: readonly LivreDocument[]): Rayon {
  const known = livres
    .flatMap((livre) => (livre.rang === null ? [] : { livre, rang: livre.rang }))
    .sort((a, b) => a.rang - b.rang || a.livre.id - b.livre.id)
    .map(({ livre }) => livre);
  if (known.length < livres.length * KNOWN_SHARE) return { livres, rangs: 0 };
  const others = livres.filter(({ rang }) => rang === null);
  return { livres: [...known, ...others], rangs: known.length };
}

/** Ids from left to right: a book that was not scanned stays after its former predecessor. */
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
