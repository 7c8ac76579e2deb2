import BookX from '@lucide/svelte/icons/book-x';
import { m } from '$lib/paraglide/messages';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import type { LivreDocument } from '#shared/livres';
import { LIVRE_FIELDS, LivreEntry } from './entry.ts';
import { ajouterLivre, modifierLivre, supprimerLivre } from './operations.ts';
import { livresView } from './view.svelte.ts';

/** The books of the household. */
export const livres: EditableKind<LivreDocument, LivreEntry> & ScreenKind<LivreDocument> = {
  collection: 'livres',
  fields: LIVRE_FIELDS,
  get: (id) => livresView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (livre) => new LivreEntry(livre),
  ajouter: (entry) => ajouterLivre(entry.toSaisie(), { confirmerDoublon: true }),
  modifier: (id, entry, ifMatch) => modifierLivre(id, entry.toSaisie(), ifMatch),
  supprimer: ({ id }, ifMatch) => supprimerLivre(id, ifMatch),
  hrefOf: ({ id }) => `/livres/${id}`,
  listOf: () => ({ href: '/', label: m.back_to_catalogue() }),
  notFound: () => ({
    icon: BookX,
    heading: m.livre_not_found(),
    text: m.not_found_text(),
    back: { href: '/', label: m.back_to_catalogue() },
  }),
};
