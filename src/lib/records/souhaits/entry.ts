import { m } from '$lib/paraglide/messages';
import { ISSN_FIELD } from '../revues/kinds.ts';
import {
  joinTokens,
  splitTokens,
  TextEntry,
  type FieldDescription,
} from '$lib/ui/form/text-entry.svelte';
import { ISBN_FIELD } from '$lib/ui/form/isbn-field';
import { COVER_URL_FIELD, textField } from '$lib/ui/form/text-field';
import { titreField } from '$lib/ui/form/titre-field';
import { MAX_LENGTHS } from '#shared/fields';
import { isbnAsWritten } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import type { Candidat } from '#shared/recherche';
import type { RevueSouhaitee, RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import { splitAuteurs, type Souhait, type SouhaitSaisi } from '#shared/souhaits';

export const SOUHAIT_FIELDS: readonly FieldDescription<Souhait, SouhaitSaisi>[] = [
  titreField(m.livre_titre_required, ['SOUHAIT_EXISTANT']),
  {
    key: 'auteur',
    label: m.field_auteurs,
    tokens: true,
    read: ({ auteur }) => joinTokens(splitAuteurs(auteur)),
    write: (text) => ({ auteur: toAuteur(text) }),
    display: toAuteur,
  },
  ISBN_FIELD,
  // Sent empty, the stored cover stays (docs/rules.md § 17).
  { ...COVER_URL_FIELD, read: () => '' },
];

const STORED_SOUHAIT_FIELDS = SOUHAIT_FIELDS.map((field) =>
  field.key === 'coverUrl' ? { ...field, hint: m.cover_url_hint } : field,
);

export class SouhaitEntry extends TextEntry<Souhait, SouhaitSaisi> {
  /** @param souhait the wish to edit, `null` for a new one */
  constructor(souhait: Souhait | null) {
    super(souhait === null ? SOUHAIT_FIELDS : STORED_SOUHAIT_FIELDS, souhait, {
      titre: '',
    });
  }

  /** The one author text of a wish: the names that are typed, the unfinished one too. */
  get auteur(): string {
    return toAuteur(this.text('auteur'));
  }

  /** Shows what a catalogue found in place of what was typed to find it. */
  fill({ titre, auteurs, isbn, coverUrl }: Candidat): void {
    const texts = {
      titre,
      auteur: joinTokens(fittingAuteurs(auteurs)),
      coverUrl: coverUrl ?? '',
      ...(isbn !== null && { isbn: formatIsbn(isbn) }),
    };
    for (const [key, text] of Object.entries(texts)) this.setText(key, text);
    this.prefilled = { code: isbnAsWritten(this.text('isbn')), texts };
    this.errors = {};
  }
}

/** The author text of a wish, which separates the names by semicolons. */
function toAuteur(tokensText: string): string {
  return splitTokens(tokensText).join(' ; ');
}

/** As many of the names as fit into the one author text of a wish. */
const fittingAuteurs = (noms: readonly string[]): readonly string[] =>
  noms.filter((_, i) => noms.slice(0, i + 1).join(' ; ').length <= MAX_LENGTHS.nom);

export const REVUE_FIELDS: readonly FieldDescription<RevueSouhaitee, RevueSouhaiteeSaisie>[] = [
  titreField(m.revue_titre_required, ['SOUHAIT_EXISTANT']),
  textField('numero', {
    label: m.field_numero,
    hint: m.numero_hint,
    maxlength: MAX_LENGTHS.nom,
  }),
  ISSN_FIELD,
];

export class RevueSouhaiteeEntry extends TextEntry<RevueSouhaitee, RevueSouhaiteeSaisie> {
  /** @param revue the wish to edit, `null` for a new one */
  constructor(revue: RevueSouhaitee | null) {
    super(REVUE_FIELDS, revue, { titre: '' });
  }
}
