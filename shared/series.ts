import { Type, type Static } from 'typebox';
import { editedColumns, type ChangeReader, type RowChange } from './change-reader.ts';
import type { Message } from './history.ts';
import { endpoint, onRecord } from './endpoint.ts';
import { Id, Isbn, MAX_LENGTHS, nullable, text, optionalText } from './fields.ts';
import { placing } from './livres.ts';
import { Souhait } from './souhaits.ts';

/** The maximum of places, more than any real series has. */
export const MAX_PLACES = 5000;

/** A volume of a series, missing where it has no book (docs/rules.md § 19). */
export const Place = Type.Object({
  id: Id,
  titre: text(MAX_LENGTHS.titre),
  numero: nullable(Type.String({ maxLength: MAX_LENGTHS.code })),
  /** The volumes in the book, « 4-6 », or « aucun »; `null` derives them from number and title. */
  tomes: nullable(Type.String({ maxLength: MAX_LENGTHS.code })),
  livreId: nullable(Id),
  auteur: nullable(Type.String({ maxLength: MAX_LENGTHS.nom })),
  isbn: nullable(Isbn),
});
export type Place = Static<typeof Place>;

/** A place or a sub-series: the two share one stored reading order. */
export const Element = Type.Union([Type.Object({ place: Id }), Type.Object({ serie: Id })]);
export type Element = Static<typeof Element>;

/** A series of places and, when it is a cycle, of series; all three lists in stored order. */
export const Serie = Type.Object({
  id: Id,
  titre: text(MAX_LENGTHS.titre),
  parentId: nullable(Id),
  /** The number of volumes of a series marked as finished. */
  nombreTomes: nullable(Type.Integer({ minimum: 1, maximum: MAX_PLACES })),
  places: Type.Array(Place),
  sousSeries: Type.Array(Type.Object({ id: Id, titre: Type.String() })),
  elements: Type.Array(Element),
});
export type Serie = Static<typeof Serie>;

export const PlaceSaisie = Type.Object({
  /** The id of an existing place of this series; left out for a new one. */
  id: Type.Optional(nullable(Id)),
  titre: text(MAX_LENGTHS.titre),
  numero: optionalText(MAX_LENGTHS.code),
  tomes: optionalText(MAX_LENGTHS.code),
  livreId: Type.Optional(nullable(Id)),
  auteur: optionalText(MAX_LENGTHS.nom),
  isbn: optionalText(MAX_LENGTHS.code),
});
export type PlaceSaisie = Static<typeof PlaceSaisie>;

export const SerieSaisie = Type.Object({
  titre: text(MAX_LENGTHS.titre),
  parentId: Type.Optional(nullable(Id)),
  nombreTomes: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: MAX_PLACES }))),
  places: Type.Optional(nullable(Type.Array(PlaceSaisie, { maxItems: MAX_PLACES }))),
});
export type SerieSaisie = Static<typeof SerieSaisie>;

export const listerSeries = endpoint({
  method: 'GET',
  path: '/api/series',
  summary: 'Toutes les séries et tous les cycles, par titre.',
  response: Type.Array(Serie),
});

export const lireSerie = endpoint({
  ...onRecord('series'),
  method: 'GET',
  summary: 'Une série, ses places et ses sous-séries dans l’ordre de lecture.',
  response: Serie,
});

export const ajouterSerie = endpoint({
  method: 'POST',
  path: '/api/series',
  record: { collection: 'series' },
  modification: { operation: 'ajouterSerie', message: 'serieAjoutee' },
  actsAsHousehold: true,
  summary: 'Ajoute une série avec ses places.',
  body: SerieSaisie,
  response: Serie,
  status: 201,
});

const isNewManquant = ({ avant, apres }: RowChange): boolean =>
  avant === null && apres?.['livreId'] === null;
const isMovedOnly = (change: RowChange): boolean =>
  change.apres !== null && editedColumns(change).length === 0;

function describeEdit(changes: ChangeReader): Message {
  const nom = changes.name('series');
  const [row] = changes.rows('Serie');
  const changed = row === undefined ? [] : editedColumns(row);
  const places = changes.rows('Place');
  if (row === undefined) {
    const { length } = places.filter(isNewManquant);
    if (length > 0 && places.every((place) => isNewManquant(place) || isMovedOnly(place)))
      return { fait: 'volumesManquants', volumes: length, nom };
  } else if (places.length === 0 && changed.length === 1) {
    const parent = changes.nameOf('series', row.apres?.['parentId']);
    if (changed[0] === 'parentId' && parent !== '') return { fait: 'seriePlacee', parent, nom };
    const volumes = row.apres?.['nombreTomes'];
    if (changed[0] === 'nombreTomes')
      return typeof volumes === 'number'
        ? { fait: 'serieFinie', volumes, nom }
        : { fait: 'serieSansFin', nom };
  }
  return { fait: 'serieModifiee', nom };
}

export const modifierSerie = endpoint({
  ...onRecord('series'),
  method: 'PUT',
  modification: { operation: 'modifierSerie', message: describeEdit },
  actsAsHousehold: true,
  summary: 'Récrit une série et ses places, dans l’ordre ; ses sous-séries y gardent leur rang.',
  body: SerieSaisie,
  response: Serie,
});

export const supprimerSerie = endpoint({
  ...onRecord('series'),
  method: 'DELETE',
  modification: { operation: 'supprimerSerie', message: 'serieSupprimee' },
  actsAsHousehold: true,
  summary: 'Supprime une série ; ses sous-séries remontent d’un niveau, à sa place.',
});

export const ordonnerSerie = endpoint({
  method: 'PUT',
  path: '/api/series/:id/ordre',
  record: { collection: 'series' },
  modification: {
    operation: 'ordonnerSerie',
    message: 'serieRangee',
  },
  actsAsHousehold: true,
  summary: 'Range les places et les sous-séries d’une série dans un nouvel ordre.',
  body: Type.Object({ elements: Type.Array(Element, { maxItems: 2 * MAX_PLACES }) }),
  response: Serie,
});

export const placerLivre = endpoint({
  method: 'PUT',
  path: '/api/places/:id/livre',
  record: { collection: 'series' },
  modification: placing('placerLivre'),
  actsAsHousehold: true,
  summary: 'Met un livre à une place de sa série, ou l’en retire (null).',
  body: Type.Object({ livreId: nullable(Id) }),
  response: Serie,
});

export const souhaiterPlace = endpoint({
  method: 'POST',
  path: '/api/places/:id/souhait',
  record: { collection: 'souhaits' },
  modification: { operation: 'souhaiterPlace', message: 'souhaitAjoute' },
  summary: 'Met un volume manquant sur la liste de souhaits de la personne qui appelle.',
  response: Souhait,
  status: 201,
});
