import { m } from '$lib/paraglide/messages';
import { urlError } from '$lib/format/code-errors';
import { ISSN_FIELD } from '../revues/revue-entry.ts';
import {
  joinTokens,
  splitTokens,
  TextEntry,
  type FieldDescription,
} from '$lib/ui/form/text-entry.svelte';
import { ISBN_FIELD } from '$lib/ui/form/isbn-field';
import { titreField } from '$lib/ui/form/titre-field';
import { MAX_LENGTHS } from '#shared/fields';
import { formatIsbn } from '#shared/isbn-format';
import type { Candidat } from '#shared/recherche';
import type { RevueSouhaitee, RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import { splitAuteurs, type Souhait, type SouhaitSaisi } from '#shared/souhaits';

/** The fields of a wished book, in the order of its form. */
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
  {
    key: 'coverUrl',
    label: m.field_cover_url,
    type: 'url',
    maxlength: MAX_LENGTHS.url,
    // Sent empty, the stored cover stays (docs/rules.md § 17).
    read: () => '',
    write: (coverUrl) => ({ coverUrl }),
    check: urlError,
  },
];

const STORED_SOUHAIT_FIELDS = SOUHAIT_FIELDS.map((field) =>
  field.key === 'coverUrl' ? { ...field, hint: m.cover_url_hint } : field,
);

/** What is typed into the form of a wished book. */
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

  fill({ titre, auteurs, isbn, coverUrl }: Candidat): void {
    this.setText('titre', titre);
    this.setText('auteur', joinTokens(fittingAuteurs(auteurs)));
    if (isbn !== null) this.setText('isbn', formatIsbn(isbn));
    this.setText('coverUrl', coverUrl ?? '');
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

/** The fields of a wished periodical, in the order of its form. */
export const REVUE_FIELDS: readonly FieldDescription<RevueSouhaitee, RevueSouhaiteeSaisie>[] = [
  titreField(m.revue_titre_required, ['SOUHAIT_EXISTANT']),
  {
    key: 'numero',
    label: m.field_numero,
    hint: m.numero_hint,
    maxlength: MAX_LENGTHS.nom,
    read: ({ numero }) => numero ?? '',
    write: (numero) => ({ numero }),
  },
  ISSN_FIELD,
];

/** What is typed into the form of a wished periodical. */
export class RevueSouhaiteeEntry extends TextEntry<RevueSouhaitee, RevueSouhaiteeSaisie> {
  /** @param revue the wish to edit, `null` for a new one */
  constructor(revue: RevueSouhaitee | null) {
    super(REVUE_FIELDS, revue, { titre: '' });
  }
}
