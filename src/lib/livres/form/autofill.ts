import { joinTokens, type Prefilled } from '$lib/ui/form/text-entry.svelte';
import type { Candidat } from '#shared/recherche';
import type { LivreEntry } from '$lib/records/livres/entry.svelte';

/** The fields that a catalogue record fills. */
const FIELDS = ['titre', 'auteurs', 'editeur', 'annee', 'nombrePages', 'coverUrl'] as const;

/**
 * Fills a form from a catalogue record without overwriting what a person wrote.
 *
 * @param code what the record was asked for by
 * @returns the keys of the fields that keep another text
 */
export function autofill(entry: LivreEntry, candidat: Candidat, code: string | null): string[] {
  const { isbn, typeDocument = '' } = candidat;
  const texts: Prefilled['texts'] = {
    ...Object.fromEntries(FIELDS.map((key) => [key, textOf(candidat[key])])),
    typeDocument,
    // The code of an edition that was found by its title.
    ...(isbn !== null && !entry.isWritten('isbn') && { isbn }),
  };
  return entry.prefill({ code: code ?? isbn, texts });
}

const textOf = (value: Candidat[(typeof FIELDS)[number]]): string =>
  Array.isArray(value) ? joinTokens(value) : String(value ?? '');
