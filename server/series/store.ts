import type { Element, Place, Serie } from '#shared/series';
import type { Base } from '#server/database/base';
import { COLONNES_SERIE, enSerie, type LigneSerie } from './store-document.ts';

const LIRE = `SELECT d.id, ${COLONNES_SERIE} FROM Serie d`;

/** Every series, by title as it is sorted, then by id. */
export function toutesLesSeries(base: Base): Serie[] {
  return base
    .prepare<[], LigneSerie>(`${LIRE} ORDER BY normaliser(d.titre), d.id`)
    .all()
    .map(enSerie);
}

export function lireSerie(base: Base, id: number): Serie | undefined {
  const ligne = base.prepare<[number], LigneSerie>(`${LIRE} WHERE d.id = ?`).get(id);
  return ligne && enSerie(ligne);
}

/** Whether a series is another, or inside of it in any depth. */
export function estDans(base: Base, id: number, autre: number): boolean {
  const ligne = base
    .prepare<[number, number]>(
      `WITH RECURSIVE Ancetre (id) AS (
         SELECT ?
         UNION
         SELECT parentId FROM Serie JOIN Ancetre USING (id) WHERE parentId IS NOT NULL
       )
       SELECT 1 FROM Ancetre WHERE id = ?`,
    )
    .get(id, autre);
  return ligne !== undefined;
}

/** What a series's row says of itself. */
interface SerieEcrite {
  readonly titre: string;
  readonly parentId: number | null;
}

/** Behind all that the parent `@parentId` holds; 0 without a parent. */
const A_LA_FIN = `(SELECT coalesce(max(position) + 1, 0) FROM (
  SELECT position FROM Place WHERE serieId = @parentId
  UNION ALL SELECT position FROM Serie WHERE parentId = @parentId))`;

/** Writes a new series at the end of its parent's list and returns its id. */
export function insererSerie(base: Base, serie: SerieEcrite): number {
  const { lastInsertRowid } = base
    .prepare<[SerieEcrite]>(
      `INSERT INTO Serie (titre, parentId, position) VALUES (@titre, @parentId, ${A_LA_FIN})`,
    )
    .run(serie);
  return Number(lastInsertRowid);
}

/** Rewrites a series; under another parent it goes to the end of that one's list. */
export function reecrireSerie(base: Base, id: number, serie: SerieEcrite): void {
  base
    .prepare<[SerieEcrite & { id: number }]>(
      `UPDATE Serie SET titre = @titre, parentId = @parentId,
         position = CASE WHEN parentId IS @parentId THEN position ELSE ${A_LA_FIN} END
       WHERE id = @id`,
    )
    .run({ ...serie, id });
}

/** Hangs every sub-series of a series under another parent. */
export function deplacerSousSeries(base: Base, id: number, parentId: number | null): void {
  base
    .prepare<[number | null, number]>('UPDATE Serie SET parentId = ? WHERE parentId = ?')
    .run(parentId, id);
}

/** Takes a series away, with its places. */
export function effacerSerie(base: Base, id: number): void {
  base.prepare<[number]>('DELETE FROM Serie WHERE id = ?').run(id);
}

/** What a place's row says of the volume. */
export type PlaceEcrite = Omit<Place, 'id'>;

/** Writes a new place, before it is given its position, and returns its id. */
export function insererPlace(base: Base, serieId: number, place: PlaceEcrite): number {
  const { lastInsertRowid } = base
    .prepare<[PlaceEcrite & { serieId: number }]>(
      `INSERT INTO Place (serieId, position, titre, numero, livreId, auteur, isbn)
       VALUES (@serieId, 0, @titre, @numero, @livreId, @auteur, @isbn)`,
    )
    .run({ ...place, serieId });
  return Number(lastInsertRowid);
}

export function reecrirePlace(base: Base, id: number, place: PlaceEcrite): void {
  base
    .prepare<[PlaceEcrite & { id: number }]>(
      `UPDATE Place SET titre = @titre, numero = @numero, livreId = @livreId, auteur = @auteur,
         isbn = @isbn
       WHERE id = @id`,
    )
    .run({ ...place, id });
}

export function effacerPlace(base: Base, id: number): void {
  base.prepare<[number]>('DELETE FROM Place WHERE id = ?').run(id);
}

export function lirePlace(base: Base, id: number): Place | undefined {
  return base
    .prepare<[number], Place>(
      'SELECT id, titre, numero, livreId, auteur, isbn FROM Place WHERE id = ?',
    )
    .get(id);
}

/** Numbers the places and sub-series of a series in a new order; what keeps its place is not written. */
export function ecrireOrdre(base: Base, id: number, elements: readonly Element[]): void {
  const place = base.prepare<[number, number, number, number]>(
    'UPDATE Place SET position = ? WHERE id = ? AND serieId = ? AND position <> ?',
  );
  const serie = base.prepare<[number, number, number, number]>(
    'UPDATE Serie SET position = ? WHERE id = ? AND parentId = ? AND position <> ?',
  );
  elements.forEach((element, position) => {
    if ('place' in element) place.run(position, element.place, id, position);
    else serie.run(position, element.serie, id, position);
  });
}
