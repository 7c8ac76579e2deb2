import type { LivreDocument } from '#shared/livres';

/** The book that is being deleted here: its screen stays until the list takes over. */
class Depart {
  livre = $state.raw<LivreDocument | null>(null);
}

export const depart = new Depart();
