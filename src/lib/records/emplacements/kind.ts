import Archive from '@lucide/svelte/icons/archive';
import type { Batch } from '$lib/api/feedback.svelte';
import { operation } from '$lib/api/write.svelte';
import { href } from '$lib/format/address';
import { formatDay } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { type FieldDescription, TextEntry } from '$lib/ui/form/text-entry.svelte';
import { textField } from '$lib/ui/form/fields';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import { namesOfPath } from '#shared/emplacement-tree';
import * as endpoints from '#shared/emplacements';
import type { Emplacement, EmplacementSaisi } from '#shared/emplacements';
import { MAX_LENGTHS } from '#shared/fields';
import { rewrite } from '../rewrite.ts';
import { emplacementsView } from './view.svelte.ts';

export const ajouterEmplacement = operation(endpoints.ajouterEmplacement);
const modifierEmplacement = operation(endpoints.modifierEmplacement);
const supprimerEmplacement = operation(endpoints.supprimerEmplacement);

export const fermerEmplacement = (
  { id }: Emplacement,
  ferme: boolean,
): Promise<Emplacement | null> =>
  rewrite(
    { collection: 'emplacements', get: emplacementsView.get, put: modifierEmplacement },
    id,
    ({ nom, parentId, note }) => {
      const fermeLe = ferme ? new Date().toISOString() : null;
      return { nom, parentId, note, fermeLe };
    },
  );

const ordonnerFirstLevel = operation(endpoints.ordonnerEmplacements);
const ordonnerParent = operation(endpoints.ordonnerEmplacement);

/** `null` is the first level. Throws the refusal `LISTE_PERIMEE` unless `ids` is all locations of the parent. */
export const ordonnerEmplacements = (
  parentId: number | null,
  ids: number[],
  batch: Batch,
): Promise<Emplacement[]> =>
  parentId === null
    ? ordonnerFirstLevel({ ids }, { batch })
    : ordonnerParent(parentId, { ids }, { batch });

type EmplacementTexts = Omit<Emplacement, 'id' | 'rang'>;

const parentText = (id: string): string => emplacementsView.pathText(Number(id));

/** The text of `parentId` is the id, that of `fermeLe` the moment. */
const EMPLACEMENT_FIELDS: readonly FieldDescription<EmplacementTexts, EmplacementSaisi>[] = [
  textField('nom', {
    label: m.field_nom,
    maxlength: MAX_LENGTHS.nom,
    required: true,
    check: (nom) => {
      if (nom.trim() === '') return m.emplacement_nom_required();
      return namesOfPath(nom).join() === nom.trim() ? undefined : m.emplacement_nom_sign();
    },
    refusals: ['EMPLACEMENT_EXISTANT'],
  }),
  {
    key: 'parentId',
    label: m.emplacement_parent,
    read: ({ parentId }) => (parentId === null ? '' : String(parentId)),
    write: (text) => ({ parentId: text === '' ? null : Number(text) }),
    display: (text) => (text === '' ? m.emplacement_no_parent() : parentText(text)),
    format: (id) => parentText(id) || id,
    refusals: ['EMPLACEMENT_DEDANS', 'EMPLACEMENT_PROFOND'],
  },
  textField('note', { label: m.field_note, maxlength: MAX_LENGTHS.titre }),
  {
    key: 'fermeLe',
    label: m.emplacement_ferme,
    read: ({ fermeLe }) => fermeLe ?? '',
    write: (text) => ({ fermeLe: text === '' ? null : text }),
    display: formatDay,
    format: formatDay,
  },
];

const NOTHING: EmplacementTexts = { nom: '', parentId: null, note: null, fermeLe: null };

export class EmplacementEntry extends TextEntry<EmplacementTexts, EmplacementSaisi> {
  constructor(start: Partial<EmplacementTexts> = {}) {
    super(EMPLACEMENT_FIELDS, { ...NOTHING, ...start }, { nom: '' });
  }
}

export const emplacements: EditableKind<Emplacement, EmplacementEntry> & ScreenKind<Emplacement> = {
  collection: 'emplacements',
  label: m.field_emplacement,
  fields: EMPLACEMENT_FIELDS,
  get: (id) => emplacementsView.get(id),
  titreOf: ({ nom }) => nom,
  entryOf: (emplacement) => new EmplacementEntry(emplacement),
  ajouter: (entry, givenUp) => ajouterEmplacement(entry.toSaisie(), { givenUp }),
  modifier: (id, entry, ifMatch, givenUp) =>
    modifierEmplacement(id, entry.toSaisie(), { ifMatch, givenUp }),
  supprimer: ({ id }, ifMatch) => supprimerEmplacement(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/rangement/${id}`),
  listOf({ parentId }) {
    const parent = emplacementsView.get(parentId ?? 0);
    return parent === undefined
      ? { href: href('/rangement'), label: m.destination_rangement() }
      : { href: href(`/rangement/${parent.id}`), label: parent.nom, isNamed: true };
  },
  notFound: () => ({
    icon: Archive,
    heading: m.emplacement_not_found(),
    text: m.not_found_text(),
    back: { href: href('/rangement'), label: m.back_to_rangement() },
  }),
};
