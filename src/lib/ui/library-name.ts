import { m } from '$lib/paraglide/messages';

const tag = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');

/** What the household calls its library (`LIBRARY_NAME`), as the server writes it into the page. */
export const libraryName = tag?.content ?? m.application();

/** The title of the window on a screen. */
export const windowTitle = (titre: string): string =>
  m.screen_title({ titre, bibliotheque: libraryName });
