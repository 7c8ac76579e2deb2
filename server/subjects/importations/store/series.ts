import type { ExportSerie } from '#shared/export';
import type { Place } from '#shared/series';
import type { Transaction } from '#server/plumbing/database/transaction';
import { insertRow, updateRow } from '#server/plumbing/database/columns';

/** Inserts a series of an export at the top, and returns its id. */
export const insertSerieAt = (
  database: Transaction,
  serie: Pick<ExportSerie, 'titre' | 'nombreTomes' | 'position'>,
): number => insertRow(database, 'Serie', { ...serie, parentId: null });

/** Inserts a place of an export where it stood in its series, and returns its id. */
export const insertPlaceAt = (
  database: Transaction,
  serieId: number,
  place: Omit<Place, 'id'> & { readonly position: number },
): number => insertRow(database, 'Place', { ...place, serieId });

/** Puts a series into another one where it stood. */
export const nestSerieAt = (
  database: Transaction,
  id: number,
  at: { readonly parentId: number; readonly position: number },
): void => updateRow(database, 'Serie', id, at);
