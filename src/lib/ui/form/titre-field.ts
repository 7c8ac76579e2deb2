import { m } from '$lib/paraglide/messages';
import { MAX_LENGTHS } from '#shared/fields';
import type { RefusalCode } from '#shared/refusals';
import type { FieldDescription } from './text-entry.svelte.ts';

interface Titled {
  readonly titre: string;
}

/**
 * The field of a title, which no record is without.
 * @param missing the sentence for a blank one
 * @param refusals the codes of refusals that are about the title
 */
export const titreField = (
  missing: () => string,
  refusals: readonly RefusalCode[] = [],
): FieldDescription<Titled, Titled> => ({
  key: 'titre',
  label: m.field_titre,
  maxlength: MAX_LENGTHS.titre,
  required: true,
  read: ({ titre }) => titre,
  write: (titre) => ({ titre }),
  check: (titre) => (titre.trim() === '' ? missing() : undefined),
  refusals,
});
