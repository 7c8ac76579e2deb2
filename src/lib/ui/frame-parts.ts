import { createContext, type ComponentProps, type Snippet } from 'svelte';
import type NotFound from './NotFound.svelte';

/** The « Ajouter » button at the end of every screen's head: an icon if it is beside a field. */
export const [getAddButton, setAddButton] = createContext<Snippet<[form?: 'icon']>>();

/**
 * The confirmation within the form of a screen that stays open, where it covers no field. `line` replaces the visible
 * sentence; screen readers still hear the sentence.
 */
export const [getFeedbackSlot, setFeedbackSlot] = createContext<Snippet<[line?: Snippet]>>();

export interface DeletedScreen {
  readonly collection: string;
  readonly id: number;
  /** The message if the deletion is unknown; left out in a form, which has its own. */
  readonly missing?: ComponentProps<typeof NotFound>;
}

/** Replaces a record that was deleted, or its form. */
export const [getDeleted, setDeleted] = createContext<Snippet<[DeletedScreen]>>();
