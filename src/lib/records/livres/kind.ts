import BookX from '@lucide/svelte/icons/book-x';
import HandHelping from '@lucide/svelte/icons/hand-helping';
import Pencil from '@lucide/svelte/icons/pencil';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import type { ActList, EditableKind, ScreenKind } from '$lib/ui/kind';
import { formatDay } from '$lib/format/dates';
import { formatPartialDate } from '$lib/format/partial-date';
import type { LivreDocument } from '#shared/livres';
import { STATUTS } from '#shared/statuts';
import { emplacementsView } from '../emplacements/view.svelte.ts';
import { LIVRE_FIELDS, LivreEntry } from './entry.svelte.ts';
import { statutLabel } from './labels.ts';
import { ajouterLivre, modifierLivre, supprimerLivre } from './operations.ts';
import { livresView } from './view.svelte.ts';

const tellDay = (date: string): string => formatDay(new Date(date));

const tellStatut = (value: string): string =>
  statutLabel(Object.values(STATUTS).find((statut) => String(statut) === value) ?? null);

const PRETS: ActList = { key: 'prets', label: m.modifications_prets, icon: HandHelping };
const READING: ActList = { key: 'statuts', label: m.modifications_statuts, icon: Pencil };

export const livres: EditableKind<LivreDocument, LivreEntry> & ScreenKind<LivreDocument> = {
  collection: 'livres',
  label: m.kind_livre,
  fields: LIVRE_FIELDS,
  // Its loans, where it stands, and the reader's own status.
  told: [
    { key: 'emprunteur', label: m.field_emprunteur, acts: PRETS },
    { key: 'datePret', label: m.field_date_pret, tell: tellDay, acts: PRETS },
    {
      key: 'dateRetourPrevue',
      label: m.field_date_retour_prevue,
      tell: formatPartialDate,
      acts: PRETS,
    },
    { key: 'dateRetour', label: m.field_date_retour, tell: tellDay, acts: PRETS },
    {
      key: 'emplacementId',
      label: m.field_emplacement,
      tell: (id) => emplacementsView.pathText(Number(id)) || id,
      tellFirst: (emplacement) => m.modification_put({ emplacement }),
    },
    { key: 'statut', label: m.field_statut, tell: tellStatut, acts: READING },
  ],
  get: (id) => livresView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (livre) => new LivreEntry(livre),
  ajouter: (entry, unsent) =>
    ajouterLivre(entry.toSaisie(), { query: { confirmerDoublon: true }, unsent }),
  modifier: (id, entry, ifMatch, unsent) =>
    modifierLivre(id, entry.toSaisie(), { ifMatch, unsent }),
  supprimer: ({ id }, ifMatch) => supprimerLivre(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/livres/${id}`),
  listOf: () => ({ href: href('/'), label: m.back_to_catalogue() }),
  notFound: () => ({
    icon: BookX,
    heading: m.livre_not_found(),
    text: m.not_found_text(),
    back: { href: href('/'), label: m.back_to_catalogue() },
  }),
};
