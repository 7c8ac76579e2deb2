import { m } from '$lib/paraglide/messages';
import { TextEntry, type FieldDescription } from '$lib/ui/form/text-entry.svelte';
import type { Auteur, AuteurSaisi } from '#shared/auteurs';
import { MAX_LENGTHS } from '#shared/fields';
import Feather from '@lucide/svelte/icons/feather';
import { href } from '$lib/format/address';
import type { FormKind, ScreenKind } from '$lib/ui/kind';
import { modifierAuteur } from './operations.ts';
import { auteursView } from './view.svelte.ts';

const AUTEUR_FIELDS: readonly FieldDescription<Auteur, AuteurSaisi>[] = [
  {
    key: 'nom',
    label: m.field_nom,
    maxlength: MAX_LENGTHS.nom,
    required: true,
    autocapitalize: 'words',
    read: ({ nom }) => nom,
    write: (nom) => ({ nom }),
    refusals: ['AUTEUR_EXISTANT'],
  },
];

export class AuteurEntry extends TextEntry<Auteur, AuteurSaisi> {
  constructor(auteur: Auteur) {
    super(AUTEUR_FIELDS, auteur, { nom: '' });
  }
}

/** The authors of the household's books, who come and go with them. */
export const auteurs: ScreenKind<Auteur> & FormKind<Auteur, AuteurEntry> = {
  collection: 'auteurs',
  label: m.field_auteur,
  fields: AUTEUR_FIELDS,
  get: (id) => auteursView.get(id),
  titreOf: ({ nom }) => nom,
  entryOf: (auteur) => new AuteurEntry(auteur),
  modifier: (id, entry, ifMatch) => modifierAuteur(id, entry.toSaisie().nom, ifMatch),
  hrefOf: ({ id }) => href(`/auteurs/${id}`),
  listOf: () => ({ href: href('/auteurs'), label: m.destination_auteurs() }),
  notFound: () => ({
    icon: Feather,
    heading: m.auteur_not_found(),
    text: m.auteur_not_found_text(),
    back: { href: href('/auteurs'), label: m.back_to_auteurs() },
  }),
};
