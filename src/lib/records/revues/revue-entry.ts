import { m } from '$lib/paraglide/messages';
import { issnError } from '$lib/format/code-errors';
import { TextEntry, type FieldDescription } from '$lib/ui/form/text-entry.svelte';
import { titreField } from '$lib/ui/form/titre-field';
import { MAX_LENGTHS } from '#shared/fields';
import { issnOfCode977 } from '#shared/issn';
import type { Revue, RevueSaisie } from '#shared/revues';

/** The ISSN of a periodical, owned or wished for. */
export const ISSN_FIELD: FieldDescription<
  { readonly issn: string | null },
  { readonly issn: string | null }
> = {
  key: 'issn',
  label: m.field_issn,
  hint: m.issn_hint,
  maxlength: MAX_LENGTHS.code,
  code: true,
  read: ({ issn }) => issn ?? '',
  // It may be given as the 977 code of a cover, which holds it (docs/rules.md § 8).
  write: (text) => ({ issn: issnOfCode977(text)?.issn ?? text }),
  check: issnError,
  refusals: ['ISSN_INVALIDE'],
};

export const REVUE_FIELDS: readonly FieldDescription<Revue, RevueSaisie>[] = [
  titreField(m.revue_titre_required),
  { ...ISSN_FIELD, refusals: ['ISSN_INVALIDE', 'REVUE_EXISTANTE'] },
];

/** A periodical's form: what is typed, as it is typed. */
export class RevueEntry extends TextEntry<Revue, RevueSaisie> {
  constructor(revue: Revue) {
    super(REVUE_FIELDS, revue, { titre: '' });
  }
}
