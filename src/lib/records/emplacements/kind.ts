import Archive from '@lucide/svelte/icons/archive';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import type { Emplacement } from '#shared/emplacements';
import { EMPLACEMENT_FIELDS, EmplacementEntry } from './entry.ts';
import { ajouterEmplacement, modifierEmplacement, supprimerEmplacement } from './operations.ts';
import { emplacementsView } from './view.svelte.ts';

export const emplacements: EditableKind<Emplacement, EmplacementEntry> & ScreenKind<Emplacement> = {
  collection: 'emplacements',
  label: m.field_emplacement,
  fields: EMPLACEMENT_FIELDS,
  get: (id) => emplacementsView.get(id),
  titreOf: ({ nom }) => nom,
  entryOf: (emplacement) => new EmplacementEntry(emplacement),
  ajouter: (entry, unsent) => ajouterEmplacement(entry.toSaisie(), { unsent }),
  modifier: (id, entry, ifMatch, unsent) =>
    modifierEmplacement(id, entry.toSaisie(), { ifMatch, unsent }),
  supprimer: ({ id }, ifMatch) => supprimerEmplacement(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/rangement/${id}`),
  listOf({ parentId }) {
    const parent = emplacementsView.get(parentId ?? 0);
    return parent === undefined
      ? { href: href('/rangement'), label: m.destination_rangement() }
      : { href: href(`/rangement/${parent.id}`), label: parent.nom };
  },
  notFound: () => ({
    icon: Archive,
    heading: m.emplacement_not_found(),
    text: m.not_found_text(),
    back: { href: href('/rangement'), label: m.back_to_rangement() },
  }),
};
