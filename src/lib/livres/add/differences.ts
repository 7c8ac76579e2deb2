import { displayText } from '$lib/ui/conflict/conflict.svelte';
import type { Livre } from '#shared/livres';
import { normaliser } from '#shared/text';
import type { LivreEntry } from '$lib/records/livres/entry.svelte';

/** One field of a book that is being added beside the same field of a similar one. */
interface FieldComparison {
  readonly key: string;
  readonly label: string;
  readonly typed: string;
  readonly owned: string;
  readonly isDifferent: boolean;
}

/** Compares two books field by field, without their covers and without what both leave empty. */
export const compareFields = (entry: LivreEntry, livre: Livre): readonly FieldComparison[] =>
  entry.fields
    .filter(({ key }) => key !== 'coverUrl')
    .map((field) => {
      const typed = displayText(field, entry.text(field.key));
      const owned = displayText(field, field.read(livre));
      const isDifferent = comparable(typed) !== comparable(owned);
      return { key: field.key, label: field.label(), typed, owned, isDifferent };
    })
    .filter(({ typed, owned }) => typed !== '' || owned !== '');

/** Hyphens, accents and case do not make another book. */
const comparable = (text: string): string => normaliser(text).replaceAll(' ', '');
