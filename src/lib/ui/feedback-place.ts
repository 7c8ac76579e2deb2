import { createContext, type Snippet } from 'svelte';

/**
 * What the frame gives a screen that stays after an addition, for the next one: the bar that says what was
 * just done, in the flow above the form, where it covers no field.
 */
export const [getFeedbackPlace, setFeedbackPlace] = createContext<Snippet>();
