import { auteurSortKey } from '#shared/sort';
import { CLOTHS, hashOf } from '../../format/cloth.ts';

/** How a jacket is laid out: in a frame, below a short rule, or on a paper label. */
const LAYOUTS = ['filet', 'trait', 'etiquette'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** What is printed on the cloth around a label. */
const PATTERNS = ['lozenges', 'stripes', 'waves'] as const;

export interface Binding {
  /** 0 to 14. */
  readonly cloth: number;
  readonly layout: Layout;
  readonly pattern: (typeof PATTERNS)[number];
}

const byKey = new Map<string, Binding>();

/**
 * The binding of a book: that of its first author, whose books are one collection, else of its title
 * (docs/rules.md § 52).
 */
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
