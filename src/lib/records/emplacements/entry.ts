import { formatDay } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { TextEntry, type FieldDescription } from '$lib/ui/form/text-entry.svelte';
import { textField } from '$lib/ui/form/text-field';
import { namesOfPath } from '#shared/emplacement-tree';
import type { Emplacement, EmplacementSaisi } from '#shared/emplacements';
import { MAX_LENGTHS } from '#shared/fields';
import { emplacementsView } from './view.svelte.ts';

type Edited = Omit<Emplacement, 'id' | 'rang'>;

const tellParent = (id: string): string => emplacementsView.pathText(Number(id));

/** The fields of a location; the text of `parentId` is the id, that of `fermeLe` the moment. */
export const EMPLACEMENT_FIELDS: readonly FieldDescription<Edited, EmplacementSaisi>[] = [
  {
    key: 'nom',
    label: m.field_nom,
    maxlength: MAX_LENGTHS.nom,
    required: true,
    read: ({ nom }) => nom,
    write: (nom) => ({ nom }),
    check: (nom) => {
      if (nom.trim() === '') return m.emplacement_nom_required();
      return namesOfPath(nom).join() === nom.trim() ? undefined : m.emplacement_nom_sign();
    },
    refusals: ['EMPLACEMENT_EXISTANT'],
  },
  {
    key: 'parentId',
    label: m.emplacement_parent,
    read: ({ parentId }) => (parentId === null ? '' : String(parentId)),
    write: (text) => ({ parentId: text === '' ? null : Number(text) }),
    display: (text) => (text === '' ? m.emplacement_no_parent() : tellParent(text)),
    tell: (id) => tellParent(id) || id,
    refusals: ['EMPLACEMENT_DEDANS', 'EMPLACEMENT_PROFOND'],
  },
  textField('note', { label: m.field_note, maxlength: MAX_LENGTHS.titre }),
  {
    key: 'fermeLe',
    label: m.emplacement_ferme,
    read: ({ fermeLe }) => fermeLe ?? '',
    write: (text) => ({ fermeLe: text === '' ? null : text }),
    display: (text) => (text === '' ? '' : formatDay(new Date(text))),
    tell: (date) => formatDay(new Date(date)),
  },
];

const NOTHING: Edited = { nom: '', parentId: null, note: null, fermeLe: null };

export class EmplacementEntry extends TextEntry<Edited, EmplacementSaisi> {
  /** @param start what the form starts with: the location to edit, or the parent of a new one */
  constructor(start: Partial<Edited> = {}) {
    super(EMPLACEMENT_FIELDS, { ...NOTHING, ...start }, { nom: '' });
  }
}
