import { courante } from './replica/courante.ts';
import type { Instantane, Instantanes } from './replica/locaux.ts';
import { lesVues } from './vues.svelte.ts';

/** The last answer that this device keeps under a key, with its date; reactive. */
export function instantane<K extends keyof Instantanes>(cle: K): Instantane<Instantanes[K]> | null {
  lesVues();
  return courante.instantane(cle);
}
