import { m } from '$lib/paraglide/messages';
import { TextEntry, type FieldDescription } from '$lib/ui/form/text-entry.svelte';
import type { Auteur, AuteurSaisi } from '#shared/auteurs';
import { MAX_LENGTHS } from '#shared/fields';

export const AUTEUR_FIELDS: readonly FieldDescription<Auteur, AuteurSaisi>[] = [
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
