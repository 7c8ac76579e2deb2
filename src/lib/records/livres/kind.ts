import BookX from '@lucide/svelte/icons/book-x';
import { m } from '$lib/paraglide/messages';
import { feedback, type Batch } from '$lib/sync/feedback.svelte';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import type { Livre, LivreDocument } from '#shared/livres';
import { LIVRE_FIELDS, LivreEntry } from './entry.ts';
import { ajouterLivre, modifierLivre, supprimerLivre } from './operations.ts';
import { moveToSerie } from './serie.ts';
import { livresView } from './view.svelte.ts';

/** Saves the book and puts it in the series that its form says, as one act. */
const saveInSerie = (entry: LivreEntry, save: (batch: Batch) => Promise<Livre>): Promise<Livre> =>
  feedback.batch(async (batch) => {
    const saved = await save(batch);
    await moveToSerie(saved, entry.serieChoice, batch);
    return saved;
  });

/** The books of the household. */
export const livres: EditableKind<LivreDocument, LivreEntry> & ScreenKind<LivreDocument> = {
  collection: 'livres',
  fields: LIVRE_FIELDS,
  get: (id) => livresView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (livre) => new LivreEntry(livre),
  ajouter: (entry) =>
    saveInSerie(entry, (batch) =>
      ajouterLivre(entry.toSaisie(), { confirmerDoublon: true }, batch),
    ),
  modifier: (id, entry, ifMatch) =>
    saveInSerie(entry, (batch) => modifierLivre(id, entry.toSaisie(), ifMatch, batch)),
  supprimer: ({ id }, ifMatch) => supprimerLivre(id, ifMatch),
  hrefOf: ({ id }) => `/livres/${id}`,
  listOf: () => ({ href: '/', label: m.back_to_catalogue() }),
  notFound: () => ({
    icon: BookX,
    heading: m.livre_not_found(),
    text: m.livre_not_found_text(),
    back: { href: '/', label: m.back_to_catalogue() },
  }),
};
