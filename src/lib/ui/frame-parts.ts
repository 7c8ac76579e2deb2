import { createContext, type Snippet } from 'svelte';

/** The one « Ajouter », which every screen shows at the end of its head: an icon where it stands beside a field. */
export const [getAddButton, setAddButton] = createContext<Snippet<[form?: 'icon']>>();

/** For a screen that stays after an addition: the bar, in the flow above the form, where it covers no field. */
export const [getFeedbackPlace, setFeedbackPlace] = createContext<Snippet>();
