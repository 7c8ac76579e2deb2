import type { ExportSerie } from '#shared/export';
import type { Place } from '#shared/series';
import { insertRow, updateRow } from '#server/database/columns';
import type { Database } from '#server/database/database';

/** Inserts a series of an export at the top, and returns its id. */
export const insertSerieAt = (
  database: Database,
  serie: Pick<ExportSerie, 'titre' | 'nombreTomes' | 'position'>,
): number => insertRow(database, 'Serie', { ...serie, parentId: null });

/** Inserts a place of an export where it stood in its series, and returns its id. */
export const insertPlaceAt = (
  database: Database,
  serieId: number,
  place: Omit<Place, 'id'> & { readonly position: number },
): number => insertRow(database, 'Place', { ...place, serieId });

/** Puts a series into another one where it stood. */
export const nestSerieAt = (
  database: Database,
  id: number,
  at: { readonly parentId: number; readonly position: number },
): void => updateRow(database, 'Serie', id, at);
