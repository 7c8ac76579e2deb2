import { m } from '#messages';
import type { Locale } from './locale.ts';
import { objectKeys } from './object-keys.ts';

/** Jobs that others may have to wait for. */
const TRAVAUX = {
  import: m.work_import,
  annulationImport: m.work_import_annule,
  rangement: m.work_rangement,
  suppressionEmplacement: m.work_emplacement_supprime,
  complement: m.work_complement,
  theme: m.work_theme,
  nom: m.work_nom,
  reunionAuteurs: m.work_fusion,
  ajoutSerie: m.work_serie_ajoutee,
  serie: m.work_serie_changee,
  suppressionSerie: m.work_serie_supprimee,
  restauration: m.work_restauration,
  detail: m.work_detail,
  suppressionDetail: m.work_detail_supprime,
  lot: m.work_lot,
  suppressionRevue: m.work_revue_supprimee,
  annulation: m.work_annulation,
} as const;

export type Travail = keyof typeof TRAVAUX;
export const TRAVAIL_NAMES = objectKeys(TRAVAUX);

/** « Un import », in the reader's language; a code of a later service is possible. */
export const nomOfTravail = (
  travail: Travail,
  reading: { readonly locale?: Locale } = {},
): string => (Object.hasOwn(TRAVAUX, travail) ? TRAVAUX[travail] : m.work_autre)({}, reading);
