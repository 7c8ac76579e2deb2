import { createContext, type ComponentProps, type Snippet } from 'svelte';
import type NotFound from './NotFound.svelte';

/** The one « Ajouter », which every screen shows at the end of its head: an icon where it stands beside a field. */
export const [getAddButton, setAddButton] = createContext<Snippet<[form?: 'icon']>>();

/**
 * The confirmation within the form of a screen that stays open, where it covers no field. `line` replaces the visible
 * sentence; screen readers still hear the sentence.
 */
export const [getFeedbackSlot, setFeedbackSlot] = createContext<Snippet<[line?: Snippet]>>();

export interface DeletedScreen {
  readonly collection: string;
  readonly id: number;
  /** What the screen says where nothing tells how the record went; left out in a form, which tells it: only the way back. */
  readonly missing?: ComponentProps<typeof NotFound>;
}

/** Stands in place of a record that an act has deleted, or in its form. */
export const [getDeleted, setDeleted] = createContext<Snippet<[DeletedScreen]>>();
