import { createContext, type Snippet } from 'svelte';

/**
 * What the frame gives every screen to show at the end of its head: the one « Ajouter », by its icon
 * alone where it stands beside a field.
 */
export const [getScreenAction, setScreenAction] = createContext<Snippet<[form?: 'icon']>>();
