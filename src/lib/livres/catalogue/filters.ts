import {
  FORMATS,
  MANQUES,
  STATUT_CRITERES,
  TYPES_DOCUMENT,
  type Criteres,
  type Manque,
  type StatutCritere,
} from '#shared/livres';
import { m } from '$lib/paraglide/messages';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { formatLabels, statutLabels, typeDocumentLabels } from '$lib/records/livres/view.svelte';

/** A filter of the catalogue as the address names it; the empty value filters nothing. */
export interface Filter {
  readonly key: 'format' | 'statut' | 'typeDocument' | 'disponibilite';
  readonly label: () => string;
  readonly options: readonly { readonly value: string; readonly label: () => string }[];
}

const statutCritereLabels: Readonly<Record<StatutCritere, () => string>> = {
  aucun: m.statut_aucun,
  ...statutLabels,
};

const disponibiliteLabels = {
  chezSoi: m.disponibilite_chez_soi,
  prete: m.disponibilite_prete,
} as const;

/** What a book may lack, as the check boxes and the chips say it. */
const manqueLabels: Readonly<Record<Manque, () => string>> = {
  couverture: m.sans_couverture,
  isbn: m.sans_isbn,
  serie: m.sans_serie,
};

const optionsOf = <T extends string>(
  values: readonly T[],
  labels: Readonly<Record<T, () => string>>,
) => values.map((value) => ({ value, label: labels[value] }));

export const STATUT_OPTIONS = optionsOf(STATUT_CRITERES, statutCritereLabels);

/** What a book may lack, as check boxes. */
export const SANS_OPTIONS = optionsOf(MANQUES, manqueLabels);

const ALL = { value: '', label: m.filter_all } as const;

export const FILTERS: readonly Filter[] = [
  { key: 'format', label: m.field_format, options: [ALL, ...optionsOf(FORMATS, formatLabels)] },
  {
    key: 'statut',
    label: m.filter_statut,
    options: [{ value: '', label: m.filter_all_feminine }, ...STATUT_OPTIONS],
  },
  {
    key: 'typeDocument',
    label: m.filter_type,
    options: [
      ALL,
      ...optionsOf(['Roman', 'BandeDessinee', 'NonPrecise'] as const, typeDocumentLabels),
    ],
  },
  {
    key: 'disponibilite',
    label: m.filter_disponibilite,
    options: [ALL, ...optionsOf(['chezSoi', 'prete'] as const, disponibiliteLabels)],
  },
];

const oneOf = <T extends string>(options: readonly T[], text: string | null): T | undefined =>
  options.find((value) => value === text);

/** The known values in a list of an address, in that order. */
const someOf = <T extends string>(options: readonly T[], text: string | null): readonly T[] => [
  ...new Set((text ?? '').split(',').flatMap((value) => oneOf(options, value) ?? [])),
];

/** The books that stand nowhere, as the address and the catalogue say it. */
export const SANS_EMPLACEMENT = 'aucun';

const isEmplacement = (text: string) =>
  text === SANS_EMPLACEMENT || emplacementsView.get(Number(text)) !== undefined;

const emplacementLabel = (value: string) =>
  value === SANS_EMPLACEMENT
    ? m.emplacement_none()
    : (emplacementsView.get(Number(value))?.nom ?? '');

export interface ActiveFilters extends Pick<
  Criteres,
  'format' | 'typeDocument' | 'disponibilite' | 'editeur' | 'emplacement'
> {
  /** Any of them. */
  readonly statut: readonly StatutCritere[];
  /** All of them. */
  readonly sans: readonly Manque[];
}

/** The filters in an address; unknown values are left out. */
export function activeFiltersOf(params: URLSearchParams): ActiveFilters {
  const format = oneOf(FORMATS, params.get('format'));
  const typeDocument = oneOf(TYPES_DOCUMENT, params.get('typeDocument'));
  const disponibilite = oneOf(['chezSoi', 'prete'], params.get('disponibilite'));
  const editeur = params.get('editeur')?.trim() ?? '';
  const emplacement = params.get('emplacement') ?? '';
  return {
    ...(format && { format }),
    statut: someOf(STATUT_CRITERES, params.get('statut')),
    ...(typeDocument && { typeDocument }),
    ...(disponibilite && { disponibilite }),
    sans: someOf(MANQUES, params.get('sans')),
    ...(editeur !== '' && { editeur }),
    ...(isEmplacement(emplacement) && { emplacement }),
  };
}

/** The same as the catalogue takes it. */
export const criteresOf = ({ statut, sans, ...rest }: ActiveFilters): Criteres => ({
  ...rest,
  ...(statut.length > 0 && { statut: statut.join(',') }),
  ...(sans.length > 0 && { sans: sans.join(',') }),
});

/** The parameters of the address that hold filters, all off. */
export const NO_FILTERS = {
  format: '',
  statut: '',
  typeDocument: '',
  disponibilite: '',
  sans: '',
  editeur: '',
  emplacement: '',
} as const;

/** An active filter: its name, and the address's parameters without it. */
export interface FilterChip {
  readonly label: string;
  readonly without: Readonly<Record<string, string>>;
}

/** The filters that are on, one by one. */
export function chipsOf(active: ActiveFilters): readonly FilterChip[] {
  const { format, statut, typeDocument, disponibilite, sans, editeur, emplacement } = active;
  const one = <T extends string>(
    key: keyof typeof NO_FILTERS,
    value: T | undefined,
    labelOf: (value: T) => string,
  ): FilterChip[] =>
    value === undefined ? [] : [{ label: labelOf(value), without: { [key]: '' } }];
  const several = <T extends string>(
    key: keyof typeof NO_FILTERS,
    values: readonly T[],
    labels: Readonly<Record<T, () => string>>,
  ): FilterChip[] =>
    values.map((value) => ({
      label: labels[value](),
      without: { [key]: values.filter((other) => other !== value).join(',') },
    }));
  return [
    ...one('format', format, (value) => formatLabels[value]()),
    ...several('statut', statut, statutCritereLabels),
    ...one('typeDocument', typeDocument, (value) => typeDocumentLabels[value]()),
    ...one('disponibilite', disponibilite, (value) => disponibiliteLabels[value]()),
    ...several('sans', sans, manqueLabels),
    ...one('editeur', editeur, String),
    ...one('emplacement', emplacement, emplacementLabel),
  ];
}
