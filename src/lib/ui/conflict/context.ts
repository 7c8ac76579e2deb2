import { getContext, setContext } from 'svelte';
import type { Conflict } from './conflict.svelte.ts';

const KEY = Symbol('conflict');

/** What the fields of a form read of its conflict. */
type FieldConflict = Pick<Conflict<object>, 'differences' | 'who'>;

/** Tells the fields of a form of its conflict. Call while the form is set up. */
export const setConflict = (conflict: FieldConflict | undefined): void => {
  setContext(KEY, conflict);
};

/** The conflict of the form around a field; `undefined` without one. */
export const getConflict = (): FieldConflict | undefined => getContext(KEY);
