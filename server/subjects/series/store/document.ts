import { ExportSerie } from '#shared/export';
import { Place, Serie } from '#shared/series';
import {
  documentSource,
  jsonObject,
  readDocument,
  readDocuments,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';

const placeSource = documentSource('Place', Place);

/** Places and sub-series share one order; at equal positions places come first. */
export const serieSource = documentSource('Serie', Serie, {
  places: `(SELECT json_group_array(${jsonObject(Place, 'p')} ORDER BY p.position, p.id)
    FROM Place p WHERE p.serieId = d.id)`,
  sousSeries: `(SELECT json_group_array(
      json_object('id', s.id, 'titre', s.titre) ORDER BY s.position, s.id)
    FROM Serie s WHERE s.parentId = d.id)`,
  elements: `(SELECT json_group_array(json(element) ORDER BY position, kind, id) FROM (
      SELECT position, 0 AS kind, id, json_object('place', id) AS element
      FROM Place WHERE serieId = d.id
      UNION ALL
      SELECT position, 1, id, json_object('serie', id) FROM Serie WHERE parentId = d.id))`,
});

export const exportSerieSource = documentSource('Serie', ExportSerie, {
  places: `(SELECT json_group_array(
      ${jsonObject(ExportSerie.properties.places.items, 'p')} ORDER BY p.position, p.id)
    FROM Place p WHERE p.serieId = d.id)`,
});

/** Every series, by normalised title, then id. */
export function listSeries(database: Reader): Serie[] {
  return readDocuments(database, serieSource, 'ORDER BY normaliser(d.titre), d.id');
}

export function readSerie(database: Reader, id: number): Serie | undefined {
  return readDocument(database, serieSource, 'WHERE d.id = ?', id);
}

export function readPlace(database: Reader, id: number): Place | undefined {
  return readDocument(database, placeSource, 'WHERE d.id = ?', id);
}
