import { FORMATS, TYPES_DOCUMENT, type Criteres } from '#shared/livres';
import { m } from '$lib/paraglide/messages';
import { formatLabels, statutLabels, typeDocumentLabels } from '$lib/records/livres/labels';

/** A filter of the catalogue as the address names it; the empty value filters nothing. */
export interface Filter {
  readonly key: 'format' | 'statut' | 'typeDocument' | 'disponibilite';
  readonly label: () => string;
  readonly options: readonly { readonly value: string; readonly label: () => string }[];
}

export const FILTERS: readonly Filter[] = [
  {
    key: 'format',
    label: m.field_format,
    options: [
      { value: '', label: m.filter_all },
      ...FORMATS.map((value) => ({ value, label: formatLabels[value] })),
    ],
  },
  {
    key: 'statut',
    label: m.filter_statut,
    options: [
      { value: '', label: m.filter_all_feminine },
      { value: 'aucun', label: m.statut_aucun },
      { value: '0', label: statutLabels[0] },
      { value: '1', label: statutLabels[1] },
      { value: '2', label: statutLabels[2] },
    ],
  },
  {
    key: 'typeDocument',
    label: m.filter_type,
    options: [
      { value: '', label: m.filter_all },
      { value: 'Roman', label: typeDocumentLabels.Roman },
      { value: 'BandeDessinee', label: typeDocumentLabels.BandeDessinee },
      { value: 'NonPrecise', label: typeDocumentLabels.NonPrecise },
    ],
  },
  {
    key: 'disponibilite',
    label: m.filter_disponibilite,
    options: [
      { value: '', label: m.filter_all },
      { value: 'chezSoi', label: m.disponibilite_chez_soi },
      { value: 'prete', label: m.disponibilite_prete },
    ],
  },
];

const oneOf = <T extends string>(options: readonly T[], text: string | null): T | undefined =>
  options.find((value) => value === text);

/** The filters at work. */
export type ActiveFilters = Omit<Criteres, 'recherche'>;

/** The filters that an address asks for; a value that none has is left out. */
export function activeFiltersOf(params: URLSearchParams): ActiveFilters {
  const format = oneOf(FORMATS, params.get('format'));
  const statut = oneOf(['0', '1', '2', 'aucun'], params.get('statut'));
  const typeDocument = oneOf(TYPES_DOCUMENT, params.get('typeDocument'));
  const disponibilite = oneOf(['chezSoi', 'prete'], params.get('disponibilite'));
  return {
    ...(format && { format }),
    ...(statut && { statut }),
    ...(typeDocument && { typeDocument }),
    ...(disponibilite && { disponibilite }),
  };
}
