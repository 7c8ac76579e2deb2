import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import type { TObject } from 'typebox';
import { ExportSerie } from '#shared/export';
import { emptyToNull } from '#shared/fields';
import type { SerieDuLivre } from '#shared/livres';
import { champRefusal, found, Refusal } from '#shared/refusals';
import * as api from '#shared/series';
import {
  MAX_PLACES,
  Place,
  PlaceSaisie,
  Serie,
  type Element,
  type SerieSaisie,
} from '#shared/series';
import { arrangeVolumes, fitsPlace, isSameNumero, type Volume } from '#shared/series-fit';
import { isManquant, withoutBorrowed } from '#shared/series-gaps';
import { joinAuteurs } from '#shared/souhaits';
import { textKey } from '#shared/text';
import { areTomes, AUCUN_TOME } from '#shared/tomes';
import { enteredFields, enteredIsbn, isReordering } from '#server/plumbing/common/entry';
import {
  documentProjection,
  insertRow,
  jsonObject,
  readDocument,
  readDocuments,
  renewedIsbn,
  renewedLine,
  renewRows,
  updateRow,
  updateRows,
  asText,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { PLACES_A_RECORD } from '#server/plumbing/writes/orders';
import type { RecordKind } from '#server/plumbing/records/kind';

const placeProjection = documentProjection('Place', Place);

const placesAs = (shape: TObject): string => `(SELECT json_group_array(
    ${jsonObject(shape, 'p')} ORDER BY p.position, p.id)
  FROM Place p WHERE p.serieId = d.id)`;

/** Places and sub-series share one order; at equal positions places come first. */
const projection = documentProjection('Serie', Serie, {
  places: placesAs(Place),
  sousSeries: `(SELECT json_group_array(
      json_object('id', s.id, 'titre', ${asText('s.titre')}) ORDER BY s.position, s.id)
    FROM Serie s WHERE s.parentId = d.id)`,
  elements: `(SELECT json_group_array(json(element) ORDER BY position, kind, id) FROM (
      SELECT position, 0 AS kind, id, json_object('place', id) AS element
      FROM Place WHERE serieId = d.id
      UNION ALL
      SELECT position, 1, id, json_object('serie', id) FROM Serie WHERE parentId = d.id))`,
});

export const readSerie = (database: Reader, id: number): Serie | undefined =>
  readDocument(database, projection, 'WHERE d.id = ?', id);

// In SQL of its own: the module of books imports this one.
const borrowedIn = (database: Reader, serieId: number): Set<number> =>
  new Set(
    database.values<number>(
      `SELECT l.id FROM Place p JOIN Livre l ON l.id = p.livreId
       WHERE p.serieId = ? AND l.emprunteA IS NOT NULL`,
      serieId,
    ),
  );

const isBorrowed = (database: Reader, livreId: number): boolean =>
  database.value('SELECT 1 FROM Livre WHERE id = ? AND emprunteA IS NOT NULL', livreId) !==
  undefined;

const serieOfPlace = (database: Reader, id: number): number | null =>
  database.value<number>('SELECT serieId FROM Place WHERE id = ?', id) ?? null;

/** The place of a volume without a book of the household's own. Throws `INTROUVABLE` and `PLACE_OCCUPEE`. */
export function requireManquant(database: Reader, id: number): Place {
  const serieId = found(serieOfPlace(database, id) ?? undefined);
  const borrowed = borrowedIn(database, serieId);
  const { places } = withoutBorrowed(
    { places: readDocuments(database, placeProjection, 'WHERE d.serieId = ?', serieId) },
    (livreId) => borrowed.has(livreId),
  );
  const place = found(places.find((each) => each.id === id));
  if (isManquant(place, places)) return place;
  throw new Refusal('PLACE_OCCUPEE');
}

export const countPlaces = (database: Reader, serieId: number): number =>
  database.value<number>('SELECT count(*) FROM Place WHERE serieId = ?', serieId) ?? 0;

const ancestors = (database: Reader, id: number): number[] =>
  database.values<number>(
    `WITH RECURSIVE Ancestor (id) AS (
         SELECT ?
         UNION
         SELECT parentId FROM Serie JOIN Ancestor USING (id) WHERE parentId IS NOT NULL
       )
       SELECT id FROM Ancestor`,
    id,
  );

export const isWithin = (database: Reader, id: number, other: number): boolean =>
  ancestors(database, id).includes(other);

/** The position after everything in the parent `@parentId`; 0 without a parent. */
const LAST_POSITION = `(SELECT coalesce(max(position) + 1, 0) FROM (
  SELECT position FROM Place WHERE serieId = @parentId
  UNION ALL SELECT position FROM Serie WHERE parentId = @parentId))`;

export const insertSerie = (
  tx: Transaction,
  serie: Pick<Serie, 'titre' | 'parentId' | 'nombreTomes'>,
): number => insertRow(tx, 'Serie', serie, { position: LAST_POSITION });

export const insertSerieAt = (
  tx: Transaction,
  serie: Pick<ExportSerie, 'titre' | 'nombreTomes' | 'position'> & { readonly id: number | null },
): number => insertRow(tx, 'Serie', { ...serie, parentId: null });

export const nestSerieAt = (
  tx: Transaction,
  id: number,
  at: { readonly parentId: number; readonly position: number },
): void => updateRow(tx, 'Serie', id, at);

type PlaceFields = Omit<Place, 'id'>;

/** Inserts a place at a provisional position, which `writeOrder` corrects, and returns its id. */
const insertPlace = (
  tx: Transaction,
  at: { readonly serieId: number; readonly position: number },
  place: PlaceFields,
): number => insertRow(tx, 'Place', { ...place, ...at, premierLivreId: place.livreId });

export const insertPlaceAt = (
  tx: Transaction,
  serieId: number,
  place: PlaceFields & { readonly id: number | null; readonly position: number },
): number => insertRow(tx, 'Place', { ...place, serieId });

const updatePlace = (tx: Transaction, id: number, place: Partial<PlaceFields>): void =>
  updateRow(tx, 'Place', id, place);

function deletePlace(tx: Transaction, id: number): void {
  tx.run('DELETE FROM Place WHERE id = ?', id);
}

/** Renumbers the places and sub-series of a series. */
function writeOrder(tx: Transaction, elements: readonly Element[]): void {
  const positions = elements.map((element, position) => ({ element, position }));
  const places = positions.flatMap(({ element, position }) =>
    'place' in element ? [[element.place, position] as const] : [],
  );
  const series = positions.flatMap(({ element, position }) =>
    'serie' in element ? [[element.serie, position] as const] : [],
  );
  updateRows(tx, 'Place', ['position'], places);
  updateRows(tx, 'Serie', ['position'], series);
}

export const listSerieTitres = (database: Reader): { id: number; titre: string }[] =>
  database.all<{ id: number; titre: string }>('SELECT id, titre FROM Serie ORDER BY id');

export const kind: RecordKind<'series'> = {
  projection,
  naming: {
    column: 'titre',
    subject: m.reason_sujet_serie,
    changed: m.reason_serie_modifie,
    deleted: m.reason_serie_supprime,
  },
  tables: {
    // Places come before the series at the same position.
    Place: {
      partOf: ['serieId', 'Serie'],
      list: { champ: 'places', column: 'titre', name: 'titre' },
      order: { list: 'Serie', parent: 'serieId', columns: ['position'] },
      reasons: {
        added(database, { serieId }) {
          const serie = readSerie(database, Number(serieId));
          return serie === undefined
            ? m.reason_serie_volume_ajoute()
            : m.reason_livre_place({ serie: serie.titre });
        },
      },
    },
    Serie: {
      order: { list: 'Serie', parent: 'parentId', columns: ['position'] },
      findRuleViolation: (database, { id, parentId }) =>
        typeof parentId === 'number' && isWithin(database, parentId, Number(id))
          ? {
              raison: m.reason_serie_ailleurs(),
              rows: ancestors(database, parentId).map((serie) => ['Serie', serie]),
            }
          : null,
      reasons: {
        added: () => m.reason_serie_rangee_dedans(),
        gone: m.reason_serie_supprime,
      },
    },
  },
  renormaliser(tx) {
    const areSeriesRenewed = renewRows<Serie>(tx, 'Serie', ({ titre }) => ({
      titre: renewedLine(titre),
    }));
    const arePlacesRenewed = renewRows<Place>(
      tx,
      'Place',
      ({ titre, numero, tomes, auteur, isbn }) => ({
        titre: renewedLine(titre),
        numero: renewedLine(numero),
        auteur: renewedLine(auteur),
        tomes: renewedLine(tomes),
        isbn: renewedIsbn(isbn),
      }),
    );
    return areSeriesRenewed && arePlacesRenewed;
  },
  exports: {
    series: {
      projection: documentProjection('Serie', ExportSerie, {
        places: placesAs(ExportSerie.properties.places.items),
      }),
      label: m.export_label_series,
    },
  },
};

const requireSerie = (database: Reader, id: number): Serie => found(readSerie(database, id));

/** By id, or the oldest with a title, or a new one. Throws `REQUETE_INVALIDE` at `champ`. */
export function serieIdOf(
  tx: Transaction,
  serie: { readonly id: number } | { readonly titre: string },
  champ: string,
): number {
  if ('id' in serie) {
    requireSerieAt(tx, serie.id, champ);
    return serie.id;
  }
  const { titre } = serie;
  const sql = 'SELECT id FROM Serie WHERE cle_texte(titre) = ? ORDER BY id LIMIT 1';
  const known = tx.value<number>(sql, textKey(titre));
  return known ?? insertSerie(tx, { titre, parentId: null, nombreTomes: null });
}

function requireSerieAt(database: Reader, id: number | null, champ: string): void {
  if (id !== null && readSerie(database, id) === undefined) throw champRefusal(champ, 'PAS_SERIE');
}

/** In SQL of its own: the module of books imports this one. */
function requireLivreAt(database: Reader, id: number | null, champ: string): void {
  if (id !== null && database.value('SELECT 1 FROM Livre WHERE id = ?', id) === undefined)
    throw champRefusal(champ, 'PLUS_LA');
}

/** Throws `REQUETE_INVALIDE` at `champ` if the text names no volumes. */
function enteredTomes(typed: string | null, champ: string): string | null {
  if (typed !== null && !areTomes(typed)) throw champRefusal(champ, 'TOMES', { aucun: AUCUN_TOME });
  return typed;
}

/**
 * Parses places in reading order. Throws `REQUETE_INVALIDE` for an id that is repeated or not of this series and for
 * an unknown book, and `ISBN_INVALIDE` (docs/rules.md § 19).
 *
 * @param own the ids of the series' places
 */
function enteredPlaces(database: Reader, { places }: SerieSaisie, own: readonly number[]) {
  const left = new Set(own);
  return (places ?? []).map((saisie, index) => {
    const { id, ...place } = enteredFields(PlaceSaisie, saisie);
    if (id !== null && !left.delete(id)) throw champRefusal(`places.${index}.id`, 'PAS_PLACE');
    requireLivreAt(database, place.livreId, `places.${index}.livreId`);
    const tomes = enteredTomes(place.tomes, `places.${index}.tomes`);
    return { id, place: { ...place, tomes, isbn: enteredIsbn(place.isbn) } };
  });
}

function writePlaces(
  tx: Transaction,
  serieId: number,
  elements: readonly Element[],
  places: ReturnType<typeof enteredPlaces>,
): void {
  const ids = places.map(({ id, place }, position) => {
    if (id === null) return insertPlace(tx, { serieId, position }, place);
    updatePlace(tx, id, place);
    return id;
  });
  writeOrder(tx, orderAfterRewrite(elements, ids));
}

/**
 * The order of a series after its places were rewritten: the given places, and each sub-series after the place that
 * it followed; if that was deleted, after the nearest remaining one before it, else first (docs/rules.md § 19).
 *
 * @param elements the former order
 * @param places the ids of the places in their new order
 */
export function orderAfterRewrite(
  elements: readonly Element[],
  places: readonly number[],
): Element[] {
  const kept = new Set(places);
  const followers = new Map<number | null, Element[]>();
  let anchor: number | null = null;
  for (const element of elements) {
    if ('serie' in element) followers.set(anchor, [...(followers.get(anchor) ?? []), element]);
    else if (kept.has(element.place)) anchor = element.place;
  }
  return [
    ...(followers.get(null) ?? []),
    ...places.flatMap((place) => [{ place }, ...(followers.get(place) ?? [])]),
  ];
}

export const elementKey = (element: Element): string =>
  'place' in element ? `place ${element.place}` : `serie ${element.serie}`;

/**
 * Rewrites a series: places with an id stay, missing ones are deleted, and sub-series stay after the places that they
 * followed. Throws `CYCLE_IMPOSSIBLE`, `INTROUVABLE`.
 */
function modifierSerie(tx: Transaction, id: number, saisie: SerieSaisie): Serie {
  const before = requireSerie(tx, id);
  const { titre, parentId = null, nombreTomes = null } = saisie;
  requireSerieAt(tx, parentId, 'parentId');
  if (parentId !== null && isWithin(tx, parentId, id)) throw new Refusal('CYCLE_IMPOSSIBLE');
  const previous = before.places.map((place) => place.id);
  const places = enteredPlaces(tx, saisie, previous);
  updateRow(
    tx,
    'Serie',
    id,
    { titre, parentId, nombreTomes },
    // A series with a new parent becomes its last child.
    { position: `CASE WHEN parentId IS @parentId THEN position ELSE ${LAST_POSITION} END` },
  );
  const kept = new Set(places.map((place) => place.id));
  for (const place of previous) if (!kept.has(place)) deletePlace(tx, place);
  writePlaces(tx, id, before.elements, places);
  return requireSerie(tx, id);
}

/** Deletes a series with its places; its sub-series move up to its parent, to its position. */
function supprimerSerie(tx: Transaction, id: number): void {
  const { parentId, sousSeries } = requireSerie(tx, id);
  const order =
    parentId === null
      ? []
      : requireSerie(tx, parentId).elements.flatMap((element) =>
          'serie' in element && element.serie === id
            ? sousSeries.map((serie) => ({ serie: serie.id }))
            : [element],
        );
  tx.run('UPDATE Serie SET parentId = ? WHERE parentId = ?', parentId, id);
  tx.run('DELETE FROM Serie WHERE id = ?', id);
  if (parentId !== null) writeOrder(tx, order);
}

function ajouterSerie(tx: Transaction, saisie: SerieSaisie): Serie {
  const { titre, parentId = null, nombreTomes = null } = saisie;
  requireSerieAt(tx, parentId, 'parentId');
  const places = enteredPlaces(tx, saisie, []);
  const id = insertSerie(tx, { titre, parentId, nombreTomes });
  writePlaces(tx, id, [], places);
  return requireSerie(tx, id);
}

// Books in their places

interface PlaceOfLivre {
  readonly id: number;
  readonly serieId: number;
  readonly numero: string | null;
  /** 1 for a place created with this book. */
  readonly isOfLivre: 0 | 1;
}

export const placesOfLivre = (database: Reader, livreId: number): PlaceOfLivre[] =>
  database.all<PlaceOfLivre>(
    `SELECT p.id, p.serieId, p.numero, p.premierLivreId IS p.livreId AS isOfLivre
     FROM Place p JOIN Serie s ON s.id = p.serieId WHERE p.livreId = ?
     ORDER BY normaliser(s.titre), s.id, p.position, p.id`,
    livreId,
  );

type LivreToPlace = Omit<Volume, 'numero'> & { readonly id: number };

/**
 * Adds a book to a series, moves it within or between series, or removes it. Idempotent (docs/rules.md § 19). Throws
 * `REQUETE_INVALIDE` for an unknown series.
 */
export function placerEnSerie(
  tx: Transaction,
  livre: LivreToPlace,
  { serie, numero, tomes, de }: SerieDuLivre,
): void {
  const serieId = serie === null ? null : serieIdOf(tx, serie, 'serie.id');
  const places = placesOfLivre(tx, livre.id);
  const named = places.find(({ id }) => id === de);
  const there = [named, ...places].find((place) => place?.serieId === serieId);
  const left = de === undefined ? (there ?? places[0]) : named;
  const typed = emptyToNull(numero);
  const placeIds = serieId === null ? [] : enterSerie(tx, serieId, livre, typed, there);
  for (const placeId of placeIds)
    if (typed !== null || (numero !== undefined && placeId === de))
      updatePlace(tx, placeId, { numero: typed });
  if (tomes !== undefined)
    for (const placeId of placeIds)
      updatePlace(tx, placeId, { tomes: enteredTomes(emptyToNull(tomes), 'tomes') });
  if (left !== undefined && left.id !== there?.id) leavePlace(tx, left);
}

/**
 * Adds a book to a series and returns its place; the number of a missing volume moves it there.
 *
 * @param there its present place in this series
 */
function enterSerie(
  tx: Transaction,
  serieId: number,
  livre: LivreToPlace,
  numero: string | null,
  there: PlaceOfLivre | undefined,
): number[] {
  if (there !== undefined) {
    const isAnother =
      !isSameNumero(there.numero, numero) &&
      requireSerie(tx, serieId).places.some(
        (place) => place.livreId === null && isSameNumero(place.numero, numero),
      );
    if (!isAnother) return [there.id];
    leavePlace(tx, there);
  }
  const volume = { ...livre, livreId: livre.id, numero };
  return placerVolumes(tx, serieId, [volume]).map(({ placeId }) => placeId);
}

/**
 * Moves the places of a book to another record of it. If that is in the series already, a place of the same number,
 * or without one, is deleted.
 */
export function passPlaces(tx: Transaction, from: number, to: number): void {
  const places = placesOfLivre(tx, to);
  for (const { id, serieId, numero, isOfLivre } of placesOfLivre(tx, from)) {
    const there = places.find((place) => place.serieId === serieId);
    if (there === undefined)
      updateRow(tx, 'Place', id, { livreId: to, ...(isOfLivre === 1 && { premierLivreId: to }) });
    else if (numero === null || isSameNumero(numero, there.numero)) deletePlace(tx, id);
  }
}

/** The place stays, without the book, where it has a number or was known before (docs/rules.md § 19). */
function leavePlace(tx: Transaction, { id, numero, isOfLivre }: PlaceOfLivre): void {
  if (numero === null && isOfLivre === 1) deletePlace(tx, id);
  else updatePlace(tx, id, { livreId: null });
}

type VolumeOfLivre = Volume & { readonly livreId: number | null };

/** The place of a volume: created, filled, or unchanged. */
interface Placement {
  readonly placeId: number;
  readonly outcome: 'made' | 'filled' | 'before';
}

/**
 * Adds volumes to a series; books already in it keep their place (docs/rules.md § 19). Throws `REQUETE_INVALIDE`
 * beyond `MAX_PLACES`.
 *
 * @returns the place of each volume, in their order
 */
export function placerVolumes(
  tx: Transaction,
  serieId: number,
  volumes: readonly VolumeOfLivre[],
): Placement[] {
  const { places, elements } = requireSerie(tx, serieId);
  const placements = new Map<VolumeOfLivre, Placement>();
  const placeIds = new Map(places.map(({ id, livreId }) => [livreId, id]));
  for (const volume of volumes) {
    const placeId = volume.livreId === null ? undefined : placeIds.get(volume.livreId);
    if (placeId !== undefined) placements.set(volume, { placeId, outcome: 'before' });
  }
  const coming = volumes.filter((volume) => !placements.has(volume));
  const borrowed = coming.length === 0 ? new Set() : borrowedIn(tx, serieId);
  // Borrowed books go back: a book of the household's own replaces them (docs/rules.md § 57).
  const areOwn = coming.every(({ livreId }) => livreId !== null && !isBorrowed(tx, livreId));
  const arranged = arrangeVolumes(
    places,
    coming,
    ({ livreId }) => livreId === null || (areOwn && borrowed.has(livreId)),
  );
  if (arranged.length > MAX_PLACES && arranged.length > places.length)
    throw champRefusal('serie', 'SERIE_PLEINE', { maximum: MAX_PLACES });
  const ids = arranged.map((one, position) => {
    if (one.kind === 'kept') return one.place.id;
    const placement =
      one.kind === 'new'
        ? makePlace(tx, { serieId, position }, one.volume)
        : fillPlace(tx, one.place.id, one.volume);
    placements.set(one.volume, placement);
    return placement.placeId;
  });
  writeOrder(tx, orderAfterRewrite(elements, ids));
  return volumes.flatMap((volume) => placements.get(volume) ?? []);
}

function makePlace(
  tx: Transaction,
  at: { readonly serieId: number; readonly position: number },
  volume: VolumeOfLivre,
): Placement {
  const { titre, numero, tomes = null, isbn, livreId } = volume;
  const auteur = joinAuteurs(volume.auteurs.map(({ nom }) => nom));
  const placeId = insertPlace(tx, at, { titre, numero, tomes, livreId, auteur, isbn });
  return { placeId, outcome: 'made' };
}

/** Gives a missing volume its book, if any; the volume's own data stays. */
function fillPlace(
  tx: Transaction,
  placeId: number,
  { livreId, tomes = null }: VolumeOfLivre,
): Placement {
  if (livreId === null) return { placeId, outcome: 'before' };
  updatePlace(tx, placeId, { livreId, ...(tomes !== null && { tomes }) });
  return { placeId, outcome: 'filled' };
}

/**
 * Puts a purchased book into the missing volume that its wish came from, else into the only matching place; with
 * several a person decides (docs/rules.md § 19).
 */
export function placerAchat(tx: Transaction, livre: LivreToPlace, placeId: number | null): void {
  const missing = tx.all<Pick<Place, 'id' | 'titre' | 'auteur' | 'isbn' | 'livreId'>>(
    'SELECT id, titre, auteur, isbn, livreId FROM Place WHERE livreId IS NULL ORDER BY id',
  );
  const [fitting, ...others] = missing.filter((place) => fitsPlace(livre, place));
  const only = others.length === 0 ? fitting : undefined;
  const wished = tx.value<number>(
    `SELECT p.id FROM Place p LEFT JOIN Livre l ON l.id = p.livreId
     WHERE p.id = ? AND (p.livreId IS NULL OR l.emprunteA IS NOT NULL)`,
    placeId,
  );
  const place = wished ?? only?.id;
  if (place !== undefined) updatePlace(tx, place, { livreId: livre.id });
}

const ordre = operation(api.ordonnerSerie, {
  may: 'household',
  holder: 'rangement',
  size: (_, { body }) => body.elements.length / PLACES_A_RECORD,
  run: (tx, { params: { id }, body: { elements } }) => {
    if (!isReordering(requireSerie(tx, id).elements.map(elementKey), elements.map(elementKey)))
      throw new Refusal('LISTE_PERIMEE');
    writeOrder(tx, elements);
    return answer(requireSerie(tx, id));
  },
});

const countElements = (database: Reader, id: number): number =>
  database.value<number>(
    `SELECT (SELECT count(*) FROM Place WHERE serieId = @id)
       + (SELECT count(*) FROM Serie WHERE parentId = @id)`,
    { id },
  ) ?? 0;

const ajout = operation(api.ajouterSerie, {
  may: 'household',
  holder: 'ajoutSerie',
  size: (_, { body }) => body.places?.length ?? 0,
  run: (tx, { body }) => answer(ajouterSerie(tx, body)),
});

const editing = operation(api.modifierSerie, {
  may: 'household',
  holder: 'serie',
  size: (database, { params, body }) =>
    countElements(database, params.id) + (body.places?.length ?? 0),
  run: (tx, { params, body }) => answer(modifierSerie(tx, params.id, body)),
});

const suppression = operation(api.supprimerSerie, {
  may: 'household',
  holder: 'suppressionSerie',
  size: (database, { params }) => countElements(database, params.id),
  run: (tx, { params }) => {
    supprimerSerie(tx, params.id);
    return answer();
  },
});

export function routes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, [
    read(api.listerSeries, {
      may: 'household',
      run: () => readDocuments(database, projection, 'ORDER BY normaliser(d.titre), d.id'),
    }),
    read(api.lireSerie, { may: 'household', run: ({ params }) => readSerie(database, params.id) }),
    ajout,
    editing,
    suppression,
    ordre,
    operation(api.placerLivre, {
      may: 'household',
      recordId: (_, { params }) => serieOfPlace(database, params.id),
      run: (tx, { params: { id }, body: { livreId } }) => {
        const serieId = serieOfPlace(tx, id);
        if (serieId === null) throw new Refusal('INTROUVABLE');
        requireLivreAt(tx, livreId, 'livreId');
        updatePlace(tx, id, { livreId });
        return answer(requireSerie(tx, serieId));
      },
    }),
  ]);
}
