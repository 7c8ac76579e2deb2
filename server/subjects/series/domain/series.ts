import { champRefusal, found, Refusal } from '#shared/refusals';
import type { Element, Serie, SerieSaisie } from '#shared/series';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { isReordering } from '#server/plumbing/common/order';
import { readSerie } from '../store/document.ts';
import * as store from '../store/series.ts';
import { readPlaces, requireLivre, type PlaceEntry } from './entry.ts';
import { elementKey, orderAfterRewrite, orderWithout } from './order.ts';

/** One series. Throws `INTROUVABLE`. */
export const lireSerie = (database: Reader, id: number): Serie => found(readSerie(database, id));

/** Adds a series with its places, at the end of its parent. */
export function ajouterSerie(database: Transaction, saisie: SerieSaisie): Serie {
  const parentId = enteredParent(database, saisie);
  const places = enteredPlaces(database, saisie, []);
  const { titre, nombreTomes = null } = saisie;
  const id = store.insertSerie(database, { titre, parentId, nombreTomes });
  writePlaces(database, id, [], places);
  return lireSerie(database, id);
}

/**
 * Rewrites a series: places given with their id stay, those left out are deleted, and sub-series
 * stay behind the places that they followed. Throws `CYCLE_IMPOSSIBLE`.
 */
export function modifierSerie(database: Transaction, id: number, saisie: SerieSaisie): Serie {
  const before = lireSerie(database, id);
  const parentId = enteredParent(database, saisie);
  if (parentId !== null && store.isWithin(database, parentId, id))
    throw new Refusal('CYCLE_IMPOSSIBLE');
  const previous = before.places.map((place) => place.id);
  const places = enteredPlaces(database, saisie, previous);
  const { titre, nombreTomes = null } = saisie;
  store.updateSerie(database, id, { titre, parentId, nombreTomes });
  const kept = new Set(places.map((place) => place.id));
  for (const place of previous) if (!kept.has(place)) store.deletePlace(database, place);
  writePlaces(database, id, before.elements, places);
  return lireSerie(database, id);
}

/** Deletes a series; its sub-series move up to its parent, to where it stood. */
export function supprimerSerie(database: Transaction, id: number): void {
  const { parentId, sousSeries } = lireSerie(database, id);
  const orphans = sousSeries.map((serie) => ({ serie: serie.id }));
  const order =
    parentId === null ? [] : orderWithout(lireSerie(database, parentId).elements, id, orphans);
  store.moveSousSeries(database, id, parentId);
  store.deleteSerie(database, id);
  if (parentId !== null) store.writeOrder(database, parentId, order);
}

/** Reorders the places and sub-series of a series. Throws `LISTE_PERIMEE` unless they are the same. */
export function ordonnerSerie(
  database: Transaction,
  id: number,
  elements: readonly Element[],
): Serie {
  if (!isReordering(lireSerie(database, id).elements.map(elementKey), elements.map(elementKey)))
    throw new Refusal('LISTE_PERIMEE');
  store.writeOrder(database, id, elements);
  return lireSerie(database, id);
}

/** Puts a book into a place, or takes it out (`null`), and returns the series. */
export function placerLivre(database: Transaction, placeId: number, livreId: number | null): Serie {
  const serieId = store.serieIdOfPlace(database, placeId);
  if (serieId === null) throw new Refusal('INTROUVABLE');
  requireLivre({ livreExists: (id) => store.livreExists(database, id) }, livreId, 'livreId');
  store.updatePlace(database, placeId, { livreId });
  return lireSerie(database, serieId);
}

function enteredParent(database: Reader, { parentId = null }: SerieSaisie): number | null {
  if (parentId !== null && readSerie(database, parentId) === undefined)
    throw champRefusal('parentId', 'n’est pas une série de la bibliothèque');
  return parentId;
}

function enteredPlaces(
  database: Reader,
  { places }: SerieSaisie,
  ids: readonly number[],
): PlaceEntry[] {
  return readPlaces(places ?? [], {
    places: new Set(ids),
    livreExists: (id) => store.livreExists(database, id),
  });
}

function writePlaces(
  database: Transaction,
  serieId: number,
  elements: readonly Element[],
  places: readonly PlaceEntry[],
): void {
  const ids = places.map(({ id, place }) => {
    if (id === null) return store.insertPlace(database, serieId, place);
    store.updatePlace(database, id, place);
    return id;
  });
  store.writeOrder(database, serieId, orderAfterRewrite(elements, ids));
}
