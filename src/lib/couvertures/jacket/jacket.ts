import type { Serie } from '#shared/series';
import { auteurSortKey } from '#shared/sort';
import { CLOTHS, hashOf } from '../../format/cloth.ts';

/** The layouts of a jacket: in a frame, below a short rule, or on a paper label. */
const LAYOUTS = ['filet', 'trait', 'etiquette'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The pattern on the cloth around a label. */
const PATTERNS = ['lozenges', 'stripes', 'waves'] as const;

export interface Binding {
  readonly cloth: number;
  readonly layout: Layout;
  readonly pattern: (typeof PATTERNS)[number];
}

const byKey = new Map<string, Binding>();

/** The binding by first author, so that an author's books look alike, else by title (docs/rules.md § 52). */
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
  /** By default the number in its title. */
  readonly numero: string | null | undefined;
  /** The titles of its series, which share a font size; empty for a single book. */
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
