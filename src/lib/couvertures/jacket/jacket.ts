import type { Serie } from '#shared/series';
import { auteurSortKey } from '#shared/sort';
import { CLOTHS, hashOf } from '../../format/cloth.ts';

/** How a jacket is laid out: in a frame, below a short rule, or on a paper label. */
const LAYOUTS = ['filet', 'trait', 'etiquette'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** What is printed on the cloth around a label. */
const PATTERNS = ['lozenges', 'stripes', 'waves'] as const;

export interface Binding {
  readonly cloth: number;
  readonly layout: Layout;
  readonly pattern: (typeof PATTERNS)[number];
}

const byKey = new Map<string, Binding>();

/** The binding of a first author's books, which are one collection, else of a title (docs/rules.md § 52). */
export function bindingOf(titre: string, auteur: string | undefined): Binding {
  const key = auteur === undefined ? titre : `${auteur}\n`;
  let binding = byKey.get(key);
  if (binding === undefined) {
    binding = bindingOfHash(hashOf(auteur === undefined ? titre : auteurSortKey(auteur)));
    byKey.set(key, binding);
  }
  return binding;
}

const bindingOfHash = (hash: number): Binding => ({
  cloth: hash % CLOTHS,
  layout: LAYOUTS[(hash >>> 8) % 3] ?? 'filet',
  pattern: PATTERNS[(hash >>> 16) % 3] ?? 'lozenges',
});

export interface Volume {
  readonly titre: string;
  readonly auteurs: readonly { readonly nom: string }[];
  /** The number that its title says, where left out. */
  readonly numero: string | null | undefined;
  /** The titles of its series, which all have one size; empty for a book that stands alone. */
  readonly set: readonly string[];
  /** A comic is as wide as three quarters of its height, everything else as two thirds. */
  readonly isComic: boolean;
}

/** A narrower jacket would have letters too small to read: it is set for this width and scaled like a picture. */
export const MIN_WIDTH = 104;
const LARGE_WIDTH = 150;

export const leadingOf = (width: number): number => (width < LARGE_WIDTH ? 1.16 : 1.12);

/** Fewer volumes do not read as a set. */
const MIN_SET = 3;

const ALONE: readonly string[] = [];
const sets = new WeakMap<Serie, readonly string[]>();

export function setOf(serie: Serie): readonly string[] {
  if (serie.places.length < MIN_SET) return ALONE;
  let set = sets.get(serie);
  if (set === undefined) sets.set(serie, (set = serie.places.map(({ titre }) => titre)));
  return set;
}
