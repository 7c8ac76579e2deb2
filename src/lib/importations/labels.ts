import type {
  Colonne,
  Encodage,
  Importation,
  ImportationCounts,
  RowOutcome,
} from '#shared/importations';
import { LIVRE_TEXTS } from '#shared/livres';
import { mapObject } from '#shared/object-keys';
import { m } from '$lib/paraglide/messages';

type FormatOf = Pick<Importation, 'format' | 'programme'>;

/** « livres.csv · Goodreads ». */
export function originOf({ nom, ...rest }: FormatOf & Pick<Importation, 'nom'>): string {
  const program = formatLabel(rest);
  return m.importation_origin({ nom: nom ?? program, format: program });
}

/** The program's own name: « Goodreads ». */
export function formatLabel({ format, programme }: FormatOf): string {
  if (programme !== null) return programme;
  return format === 'isbn' ? m.importation_format_isbn() : m.importation_format_table();
}

export const encodageLabels: Readonly<Record<Encodage, () => string>> = {
  'utf-8': () => 'UTF-8',
  'utf-16le': () => 'UTF-16 (LE)',
  'utf-16be': () => 'UTF-16 (BE)',
  'windows-1252': m.encodage_windows_1252,
  cp850: m.encodage_cp850,
  macintosh: m.encodage_macintosh,
  'iso-8859-15': m.encodage_iso_8859_15,
  'windows-1250': m.encodage_windows_1250,
  'windows-1254': m.encodage_windows_1254,
  'windows-1251': m.encodage_windows_1251,
  'koi8-r': m.encodage_koi8_r,
  'windows-1253': m.encodage_windows_1253,
  'windows-1255': m.encodage_windows_1255,
  'windows-1256': m.encodage_windows_1256,
  'windows-874': m.encodage_windows_874,
  shift_jis: m.encodage_shift_jis,
  'euc-jp': m.encodage_euc_jp,
  gb18030: m.encodage_gb18030,
  big5: m.encodage_big5,
  'euc-kr': m.encodage_euc_kr,
};

export const colonneLabels: Readonly<Record<Colonne, () => string>> = {
  titre: m.field_titre,
  auteurs: m.field_auteurs,
  isbn: m.field_isbn,
  ...mapObject(LIVRE_TEXTS, (_, { label }) => label),
  annee: m.field_annee,
  nombrePages: m.field_pages,
  format: m.field_format,
  statut: m.filter_statut,
  serie: m.field_serie,
  numero: m.field_tome,
  emplacement: m.field_emplacement,
  emprunteur: m.field_emprunteur,
  datePret: m.field_date_pret,
  dateRetourPrevue: m.field_date_retour_prevue,
  tomes: m.field_tomes,
  preteur: m.field_emprunte_a,
  dateEmprunt: m.field_emprunte_le,
  souhait: m.destination_souhaits,
  themes: m.field_themes,
};

export const outcomeLabels: Readonly<Record<RowOutcome, () => string>> = {
  nouveau: m.importation_rows_nouveau,
  present: m.importation_rows_present,
  souhait: m.destination_souhaits,
  lecture: m.importation_rows_lecture,
  refuse: m.importation_rows_refuse,
};

/** The amounts of an import, with the person's decisions. */
export type Amounts = ImportationCounts & {
  readonly refused: number;
  readonly enRecherche: number;
};

/** The main amount of an import: books, else wishes, else readings. */
export function importationHeading({ nouveaux, souhaits, lectures }: Amounts): string {
  if (nouveaux > 0) return m.count_livres({ count: nouveaux });
  if (souhaits > 0) return m.importation_souhaits({ count: souhaits });
  return lectures > 0 ? m.importation_lectures({ count: lectures }) : m.importation_nothing_new();
}

export function submitLabel({ nouveaux, souhaits, lectures, completes }: Amounts): string {
  if (nouveaux > 0) return m.importation_submit({ count: nouveaux });
  if (souhaits > 0) return m.importation_submit_souhaits({ count: souhaits });
  if (lectures > 0) return m.importation_submit_lectures({ count: lectures });
  return completes > 0
    ? m.importation_submit_completes({ count: completes })
    : m.importation_importer();
}

/** Existing and refused rows: « 16 sont déjà là, 2 sont refusés ». */
export const hereLabel = ({ presents, completes, refused }: Amounts): string =>
  [
    ...(presents > 0 ? [m.importation_here({ count: presents })] : []),
    ...(completes > 0 ? [m.importation_completes({ count: completes })] : []),
    ...(refused > 0 ? [m.importation_refused({ count: refused })] : []),
  ].join(', ');

/** The counts of the books, wishes and readings that an import has created; « 0 new » only if all are zero. */
export function createdLabels({ nouveaux, souhaits, lectures }: ImportationCounts): string[] {
  const others = [
    ...(souhaits > 0 ? [m.importation_souhaits({ count: souhaits })] : []),
    ...(lectures > 0 ? [m.importation_lectures({ count: lectures })] : []),
  ];
  return nouveaux > 0 || others.length === 0
    ? [m.importation_nouveaux({ count: nouveaux }), ...others]
    : others;
}

/** The amounts besides books, without those in the heading. */
export function otherLabels(amounts: Amounts): string[] {
  const { souhaits, lectures, enRecherche } = amounts;
  const heading = importationHeading(amounts);
  return [
    ...(souhaits > 0 ? [m.importation_souhaits({ count: souhaits })] : []),
    ...(lectures > 0 ? [m.importation_lectures({ count: lectures })] : []),
    ...(enRecherche > 0
      ? [m.importation_en_recherche({ count: m.number({ count: enRecherche }) })]
      : []),
  ].filter((label) => label !== heading);
}

/** The amounts that belong to books. */
export const withLabels = ({
  statuts,
  notes,
  datesDeLecture,
  prets,
  series,
}: Amounts): string[] => [
  ...(statuts > 0 ? [m.importation_statuts({ count: statuts })] : []),
  ...(notes > 0 ? [m.importation_notes({ count: notes })] : []),
  ...(datesDeLecture > 0 ? [m.importation_dates_lecture({ count: datesDeLecture })] : []),
  ...(prets > 0 ? [m.importation_prets({ count: prets })] : []),
  ...(series > 0 ? [m.importation_series({ count: series })] : []),
];
