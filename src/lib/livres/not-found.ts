import BookX from '@lucide/svelte/icons/book-x';
import { m } from '$lib/paraglide/messages';

/**
 * The screen of an unknown book, as properties of NotFound.
 *
 * @param backHref the address of the list to go back to
 */
export const livreNotFound = (backHref = '/') => ({
  icon: BookX,
  heading: m.livre_not_found(),
  text: m.livre_not_found_text(),
  back: { href: backHref, label: m.back_to_catalogue() },
});
