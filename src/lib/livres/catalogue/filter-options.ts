import { m } from '$lib/paraglide/messages';
import { APPARTENANCES, FORMATS, MANQUES, STATUT_CRITERES } from '#shared/livres';
import { LABELS } from './catalogue.svelte.ts';

/** A filter as the address names it; the empty value filters nothing. */
export interface Filter {
  readonly key: 'format' | 'statut' | 'typeDocument' | 'disponibilite' | 'appartenance';
  readonly label: () => string;
  readonly options: readonly { readonly value: string; readonly label: () => string }[];
}

const optionsOf = <T extends string>(
  values: readonly T[],
  labels: Readonly<Record<T, () => string>>,
) => values.map((value) => ({ value, label: labels[value] }));

export const STATUT_OPTIONS = optionsOf(STATUT_CRITERES, LABELS.statut);

export const SANS_OPTIONS = optionsOf(MANQUES, LABELS.sans);

const ALL = { value: '', label: m.filter_all } as const;

export const FILTERS: readonly Filter[] = [
  { key: 'format', label: m.field_format, options: [ALL, ...optionsOf(FORMATS, LABELS.format)] },
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
      ...optionsOf(['Roman', 'BandeDessinee', 'NonPrecise'] as const, LABELS.typeDocument),
    ],
  },
  {
    key: 'disponibilite',
    label: m.filter_disponibilite,
    options: [ALL, ...optionsOf(['chezSoi', 'prete'] as const, LABELS.disponibilite)],
  },
  {
    key: 'appartenance',
    label: m.filter_appartenance,
    options: [ALL, ...optionsOf(APPARTENANCES, LABELS.appartenance)],
  },
];
