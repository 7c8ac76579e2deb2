import { createContext, type Snippet } from 'svelte';

/**
 * What the frame gives every screen to show at the end of its head: the one « Ajouter », as an icon where it stands
 * beside a field.
 */
export const [getScreenAction, setScreenAction] = createContext<Snippet<[form?: 'icon']>>();

/**
 * What the frame gives a screen that stays after an addition: the bar that tells what was just done, in the flow above
 * the form, where it covers no field.
 */
export const [getFeedbackPlace, setFeedbackPlace] = createContext<Snippet>();
