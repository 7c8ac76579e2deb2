import type { LivreDocument } from '#shared/livres';

/** The book that is being deleted here: its screen stays until the list replaces it. */
class CurrentDeletion {
  livre = $state.raw<LivreDocument | null>(null);
}

export const currentDeletion = new CurrentDeletion();
