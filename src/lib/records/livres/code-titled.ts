import { joinTokens } from '$lib/ui/form/text-entry.svelte';
import type { Batch } from '$lib/api/feedback.svelte';
import { views } from '$lib/sync/views.svelte';
import type { LivreDocument } from '#shared/livres';
import type { Candidat } from '#shared/recherche';
import { isCodeTitled } from './code-title.ts';
import { LivreEntry } from './entry.svelte.ts';
import { modifierLivre } from './operations.ts';
import { livresView } from './view.svelte.ts';

/** The books that bear their codes as titles; reactive. */
export const codeTitled = (): readonly LivreDocument[] =>
  livresView.search({}).filter(isCodeTitled);

/** What a person or a catalogue says of such a book. */
export type Told = Pick<Candidat, 'titre' | 'auteurs'> & Partial<Candidat>;

/** Gives such a book its title, and whatever else it lacks; an ebook no pages (docs/rules.md § 9). */
export function tellLivre(livre: LivreDocument, told: Told, batch: Batch): Promise<unknown> {
  const entry = new LivreEntry(livre);
  entry.setText('titre', told.titre);
  if (told.auteurs.length > 0) entry.setText('auteurs', joinTokens(told.auteurs));
  const keys = ['editeur', 'annee', 'nombrePages', 'coverUrl'] as const;
  entry.prefill({
    code: livre.isbn,
    texts: Object.fromEntries(keys.map((key) => [key, String(told[key] ?? '')])),
  });
  const ifMatch = views().revisionOf('livres', livre.id);
  return modifierLivre(livre.id, entry.toSaisie(), { ifMatch, batch });
}
