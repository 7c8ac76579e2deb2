import Feather from '@lucide/svelte/icons/feather';
import { ApiError } from '$lib/api/call';
import { type Batch, feedback } from '$lib/api/feedback.svelte';
import { operation } from '$lib/api/write.svelte';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { textField } from '$lib/ui/form/fields';
import { type FieldDescription, TextEntry, type Tokens } from '$lib/ui/form/text-entry.svelte';
import type { FormKind, ScreenKind } from '$lib/ui/kind';
import * as endpoints from '#shared/auteurs';
import type { Auteur, AuteurSaisi } from '#shared/auteurs';
import { MAX_LENGTHS } from '#shared/fields';
import { cleRegroupement } from '#shared/text';
import { auteursView, recordSuccessor } from './view.svelte.ts';

const rename = operation(endpoints.modifierAuteur);
const merge = operation(endpoints.fusionnerAuteurs);
export const refuserFusion = operation(endpoints.refuserFusion);

/**
 * Renames an author everywhere. Returns the remaining record, possibly another one: initials may merge into the full
 * name (docs/rules.md § 13).
 *
 * @throws `AUTEUR_EXISTANT` with the author of that name, `MODIFIE_ENTRETEMPS`
 */
const modifierAuteur = (
  id: number,
  nom: string,
  ifMatch: number | null,
  batch?: Batch,
): Promise<Auteur> =>
  rename(id, { nom }, { ifMatch, batch, onAnswer: (kept) => recordSuccessor([id], kept) });

/**
 * Merges two authors and returns the remaining one under `nom`, one of their names. The server chooses the most
 * presentable name (docs/rules.md § 16); another one is set by renaming afterwards, and if that fails the merge
 * remains.
 */
export const fusionnerAuteurs = (ids: [number, number], nom: string): Promise<Auteur> =>
  feedback.batch(async (batch) => {
    const onAnswer = (auteur: Auteur) => recordSuccessor(ids, auteur);
    const kept = await merge({ auteurs: ids }, { batch, onAnswer });
    if (kept.nom === nom) return kept;
    return modifierAuteur(kept.id, nom, null, batch).catch((error: unknown) => {
      if (error instanceof ApiError) return kept;
      throw error;
    });
  });

const tokens: Tokens<Auteur> = {
  autocapitalize: 'words',
  listLabel: m.known_noms,
  keyOf: cleRegroupement,
  search: (text) => auteursView.search(text),
  detail: ({ nombreLivres: count }) => m.count_livres({ count }),
};

export const AUTEURS_FIELD = { label: m.field_auteurs, hint: m.auteurs_hint, tokens } as const;

const AUTEUR_FIELDS: readonly FieldDescription<Auteur, AuteurSaisi>[] = [
  textField('nom', {
    label: m.field_nom,
    maxlength: MAX_LENGTHS.nom,
    required: true,
    autocapitalize: 'words',
    refusals: ['AUTEUR_EXISTANT'],
  }),
];

export class AuteurEntry extends TextEntry<Auteur, AuteurSaisi> {
  constructor(auteur: Auteur) {
    super(AUTEUR_FIELDS, auteur, { nom: '' });
  }
}

/** The authors of the household's books: a record exists as long as it has books. */
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
