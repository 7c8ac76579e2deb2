import type { ExportSerie } from '#shared/export';
import type { Element, Place } from '#shared/series';
import { textKey } from '#shared/text';
import { insertRow, updateRow } from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** A series and all that it is inside of. */
export const ancestors = (database: Reader, id: number): number[] =>
  database.values<number>(
    `WITH RECURSIVE Ancestor (id) AS (
         SELECT ?
         UNION
         SELECT parentId FROM Serie JOIN Ancestor USING (id) WHERE parentId IS NOT NULL
       )
       SELECT id FROM Ancestor`,
    id,
  );

/** Whether a series is another one, or inside it at any depth. */
export const isWithin = (database: Reader, id: number, other: number): boolean =>
  ancestors(database, id).includes(other);

/** The columns of a series that its entry decides. */
interface SerieFields {
  readonly titre: string;
  readonly parentId: number | null;
  readonly nombreTomes: number | null;
}

/** The position behind everything in the parent `@parentId`; 0 without a parent. */
const LAST_POSITION = `(SELECT coalesce(max(position) + 1, 0) FROM (
  SELECT position FROM Place WHERE serieId = @parentId
  UNION ALL SELECT position FROM Serie WHERE parentId = @parentId))`;

/** Inserts a series at the end of its parent and returns its id. */
export const insertSerie = (database: Transaction, serie: SerieFields): number =>
  insertRow(database, 'Serie', { ...serie }, { position: LAST_POSITION });

/** Rewrites a series; one that changes its parent goes to the end of the new one. */
export const updateSerie = (database: Transaction, id: number, serie: SerieFields): void =>
  updateRow(
    database,
    'Serie',
    id,
    { ...serie },
    {
      position: `CASE WHEN parentId IS @parentId THEN position ELSE ${LAST_POSITION} END`,
    },
  );

export function moveSousSeries(database: Transaction, id: number, parentId: number | null): void {
  database.run('UPDATE Serie SET parentId = ? WHERE parentId = ?', parentId, id);
}

/** Deletes a series with its places. */
export function deleteSerie(database: Transaction, id: number): void {
  database.run('DELETE FROM Serie WHERE id = ?', id);
}

/** The columns of a place that its entry decides. */
export type PlaceFields = Omit<Place, 'id'>;

/** Inserts a place, whose position `writeOrder` sets, and returns its id. */
export const insertPlace = (database: Transaction, serieId: number, place: PlaceFields): number =>
  insertRow(database, 'Place', {
    ...place,
    serieId,
    position: 0,
    premierLivreId: place.livreId,
  });

export const updatePlace = (database: Transaction, id: number, place: Partial<PlaceFields>): void =>
  updateRow(database, 'Place', id, place);

export function deletePlace(database: Transaction, id: number): void {
  database.run('DELETE FROM Place WHERE id = ?', id);
}

/** The series of a place; `null` where there is no such place. */
export function serieIdOfPlace(database: Reader, id: number): number | null {
  return database.value<number>('SELECT serieId FROM Place WHERE id = ?', id) ?? null;
}

/** Renumbers the places and sub-series of a series; a kept position is not written. */
export function writeOrder(database: Transaction, id: number, elements: readonly Element[]): void {
  elements.forEach((element, position) => {
    const [where, own] =
      'place' in element
        ? ['Place SET position = @position WHERE serieId = @id', element.place]
        : ['Serie SET position = @position WHERE parentId = @id', element.serie];
    database.run(`UPDATE ${where} AND id = @own AND position <> @position`, { id, own, position });
  });
}

/** Every series by title alone, oldest first. */
export const listSerieTitres = (database: Reader): { id: number; titre: string }[] =>
  database.all<{ id: number; titre: string }>('SELECT id, titre FROM Serie ORDER BY id');

/** The oldest series of a title, as titles are compared; `undefined` where there is none. */
export function serieIdByTitre(database: Reader, titre: string): number | undefined {
  const key = textKey(titre);
  return listSerieTitres(database).find((serie) => textKey(serie.titre) === key)?.id;
}

export interface PlaceOfLivre {
  readonly id: number;
  readonly serieId: number;
  readonly numero: string | null;
  /** False for a place that was made with this book. */
  readonly wasKnownBefore: boolean;
}

/** The places of a book, by the title of the series. */
export const placesOfLivre = (database: Reader, livreId: number): PlaceOfLivre[] =>
  database
    .all<Omit<PlaceOfLivre, 'wasKnownBefore'> & { wasKnownBefore: number }>(
      `SELECT p.id, p.serieId, p.numero, p.premierLivreId IS NOT p.livreId AS wasKnownBefore
       FROM Place p JOIN Serie s ON s.id = p.serieId WHERE p.livreId = ?
       ORDER BY normaliser(s.titre), s.id, p.position, p.id`,
      livreId,
    )
    .map((place) => ({ ...place, wasKnownBefore: place.wasKnownBefore === 1 }));

export const missingPlaces = (
  database: Reader,
): Pick<Place, 'id' | 'titre' | 'auteur' | 'isbn' | 'livreId'>[] =>
  database.all<Pick<Place, 'id' | 'titre' | 'auteur' | 'isbn' | 'livreId'>>(
    'SELECT id, titre, auteur, isbn, livreId FROM Place WHERE livreId IS NULL ORDER BY id',
  );

/** Asked here, as the books ask the series for their places. */
export const livreExists = (database: Reader, id: number): boolean =>
  database.get('SELECT 1 FROM Livre WHERE id = ?', id) !== undefined;

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
