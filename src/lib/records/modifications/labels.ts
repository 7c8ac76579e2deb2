import FileInput from '@lucide/svelte/icons/file-input';
import HandHelping from '@lucide/svelte/icons/hand-helping';
import Pencil from '@lucide/svelte/icons/pencil';
import Plus from '@lucide/svelte/icons/plus';
import Trash2 from '@lucide/svelte/icons/trash-2';
import Undo2 from '@lucide/svelte/icons/undo-2';
import type { Component } from 'svelte';
import { formatDay } from '$lib/format/dates';
import { withNoBreakSpaces } from '$lib/format/no-break';
import { formatPartialDate } from '$lib/format/partial-date';
import { LIVRE_FIELDS } from '../livres/entry.ts';
import { formatLabels, statutLabels, typeDocumentLabels } from '../livres/labels.ts';
import { livresView } from '../livres/view.svelte.ts';
import { m } from '$lib/paraglide/messages';
import { views } from '$lib/sync/views.svelte';
import { formatIsbn } from '#shared/isbn-format';
import type {
  ChampModifie,
  Fiche,
  Modification,
  ModificationDocument,
} from '#shared/modifications';

type Value = ChampModifie['avant'];

/** An act in a sentence. */
export const sentenceOf = ({ resume }: Pick<Modification, 'resume'>): string =>
  withNoBreakSpaces(resume);

/** Who did it. */
export const personLabel = (utilisateur: string | null): string =>
  utilisateur ?? m.modifications_unknown();

const ICONS: readonly (readonly [RegExp, Component])[] = [
  [/^annuler/, Undo2],
  [/^(?:supprimer|retirer)/, Trash2],
  [/^(?:ajouter|souhaiter)/, Plus],
  [/^(?:preter|rendre)/, HandHelping],
  [/^importer/, FileInput],
];

/** What stands for an operation in a list. */
export const iconOf = ({ operation }: Pick<Modification, 'operation'>): Component =>
  ICONS.find(([pattern]) => pattern.test(operation))?.[1] ?? Pencil;

/** What acts are told apart by, as the address names it. */
export const ACT_KINDS = ['additions', 'changes', 'prets', 'statuts', 'annulations'] as const;
type ActKind = (typeof ACT_KINDS)[number];

export const actKindLabels: Readonly<Record<ActKind, () => string>> = {
  additions: m.modifications_additions,
  changes: m.modifications_changes,
  prets: m.modifications_prets,
  statuts: m.modifications_statuts,
  annulations: m.modifications_annulations,
};

const KIND_PATTERNS: readonly (readonly [RegExp, ActKind | null])[] = [
  [/^annuler/, 'annulations'],
  [/^supprimer/, null],
  [/^(?:preter|rendre)/, 'prets'],
  [/^modifierStatut/, 'statuts'],
  [/^(?:ajouter|souhaiter|importer)/, 'additions'],
];

/** The kind of an act; `null` for a deletion, which has its own list. */
export function actKindOf({ operation, fiches }: ModificationDocument): ActKind | null {
  if (operation === 'lot') return kindOfLot(fiches);
  const known = KIND_PATTERNS.find(([pattern]) => pattern.test(operation));
  return known === undefined ? 'changes' : known[1];
}

/** Many books at once: what was done to the first one says it. */
function kindOfLot([first]: readonly Fiche[]): ActKind | null {
  if (first?.supprimee) return null;
  const changed = new Set(first?.champs.map(({ champ }) => champ));
  if (changed.has('emprunteur') || changed.has('dateRetour')) return 'prets';
  return changed.has('statut') ? 'statuts' : 'changes';
}

const kinds: Readonly<Record<string, () => string>> = {
  livres: m.kind_livre,
  auteurs: m.field_auteur,
  series: m.field_serie,
  revues: m.field_revue,
  numeros: m.field_numero,
  souhaits: m.kind_souhait,
  'souhaits-revues': m.kind_souhait,
};

/** What kind of record it is. */
export const kindLabel = ({ collection }: Fiche): string => kinds[collection]?.() ?? collection;

/** What a field is called, and its value in words. */
interface FieldLabel {
  readonly label: () => string;
  readonly value?: (value: string | number) => string;
}

const day = (value: string | number): string => formatDay(new Date(value));

/** The words of an enumeration. */
const wordsOf =
  (labels: Readonly<Record<string, () => string>>) =>
  (value: string | number): string =>
    labels[value]?.() ?? String(value);

const fields: Readonly<Record<string, FieldLabel>> = {
  ...Object.fromEntries(LIVRE_FIELDS.map(({ key, label }) => [key, { label }])),
  nom: { label: m.field_nom },
  auteur: { label: m.field_auteur },
  isbn: { label: m.field_isbn, value: (isbn) => formatIsbn(String(isbn)) },
  format: { label: m.field_format, value: wordsOf(formatLabels) },
  typeDocument: { label: m.field_type, value: wordsOf(typeDocumentLabels) },
  couvertureCle: { label: m.field_own_couverture, value: () => m.own_couverture() },
  emprunteur: { label: m.field_emprunteur },
  datePret: { label: m.field_date_pret, value: day },
  dateRetour: { label: m.field_date_retour, value: day },
  statut: { label: m.field_statut, value: wordsOf(statutLabels) },
  parentId: {
    label: m.field_parent,
    value: (id) => views().series.get(Number(id))?.titre ?? `${m.field_serie()} ${id}`,
  },
  places: { label: m.volumes },
  issn: { label: m.field_issn },
  revueId: {
    label: m.field_revue,
    value: (id) => views().revues.get(Number(id))?.titre ?? `${m.field_revue()} ${id}`,
  },
  numero: { label: m.field_numero },
  date: { label: m.field_date, value: (date) => formatPartialDate(String(date)) },
  une: { label: m.field_une },
  resume: { label: m.field_resume },
  themes: { label: m.field_themes },
  articles: { label: m.field_articles },
};

/** A field before and after, in words; `null` stands for nothing. */
interface ToldField {
  readonly label: string;
  readonly avant: string | null;
  readonly apres: string | null;
}

/**
 * The fields of a record that an act changed; what this application has no word for is left out, and
 * what a record that is gone was called, which stands above them.
 */
export const toldFields = ({ champs, titre, supprimee }: Fiche): ToldField[] =>
  champs.flatMap(({ champ, avant, apres }) => {
    const field = fields[champ];
    if (field === undefined || (supprimee && avant === titre)) return [];
    const told = (value: Value) =>
      value === null ? null : (field.value?.(value) ?? String(value));
    return { label: field.label(), avant: told(avant), apres: told(apres) };
  });

/** The page of a record; `null` where there is none, or no such record any more. */
export function hrefOf({ collection, id }: Fiche): string | null {
  if (collection === 'livres') return livresView.get(id) ? `/livres/${id}` : null;
  if (collection === 'auteurs') return views().auteurs.has(id) ? `/auteurs/${id}` : null;
  if (collection === 'series') return views().series.has(id) ? `/series/${id}` : null;
  if (collection === 'revues') return views().revues.has(id) ? `/revues/${id}` : null;
  if (collection !== 'numeros') return null;
  const numero = views().numeros.get(id);
  return numero ? `/revues/${numero.revueId}/numeros/${id}` : null;
}

/** What a record is called: as the act tells it, else as it is called now; '' where nobody knows. */
export function titreOf({ collection, id, titre }: Fiche): string {
  if (titre !== '') return titre;
  if (collection === 'livres') return livresView.get(id)?.titre ?? '';
  if (collection === 'auteurs') return views().auteurs.get(id)?.nom ?? '';
  if (collection === 'series') return views().series.get(id)?.titre ?? '';
  return collection === 'revues' ? (views().revues.get(id)?.titre ?? '') : '';
}
