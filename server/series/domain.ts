import { champRefuse, Refusal } from '#shared/refusals';
import type { Element, Serie, SerieSaisie } from '#shared/series';
import type { Souhait } from '#shared/souhaits';
import type { Base } from '#server/database/base';
import { formatDuLivre } from '#server/livres/store';
import { estUnOrdreDe } from '#server/ordre';
import { ajouter as ajouterSouhait } from '#server/souhaits/domain';
import { motDe, ordreReecrit, ordreSans } from './ordre.ts';
import { lirePlaces, type PlaceLue } from './saisie.ts';
import * as store from './store.ts';

/** One series; refused where there is none. */
export function lire(base: Base, id: number): Serie {
  const serie = store.lireSerie(base, id);
  if (serie === undefined) throw new Refusal('INTROUVABLE');
  return serie;
}

/** Adds a series with its places, at the end of its parent's list. */
export function ajouter(base: Base, saisie: SerieSaisie): Serie {
  return base.write(() => {
    const parentId = parentSaisi(base, saisie);
    const places = placesSaisies(base, saisie, []);
    const id = store.insererSerie(base, { titre: saisie.titre, parentId });
    ecrirePlaces(base, id, [], places);
    return lire(base, id);
  });
}

/**
 * Rewrites a series: places that come back with their id are kept, those left out go. Its
 * sub-series stay behind the places that they stood behind.
 */
export function modifier(base: Base, id: number, saisie: SerieSaisie): Serie {
  return base.write(() => {
    const avant = lire(base, id);
    const parentId = parentSaisi(base, saisie);
    if (parentId !== null && store.estDans(base, parentId, id))
      throw new Refusal('CYCLE_IMPOSSIBLE');
    const anciennes = avant.places.map((place) => place.id);
    const places = placesSaisies(base, saisie, anciennes);
    store.reecrireSerie(base, id, { titre: saisie.titre, parentId });
    const restent = new Set(places.map((place) => place.id));
    for (const ancienne of anciennes)
      if (!restent.has(ancienne)) store.effacerPlace(base, ancienne);
    ecrirePlaces(base, id, avant.elements, places);
    return lire(base, id);
  });
}

/** Takes a series away; its sub-series move up to its parent, to where it stood. */
export function supprimer(base: Base, id: number): void {
  base.write(() => {
    const { parentId, sousSeries } = lire(base, id);
    const heritage = sousSeries.map(({ id }) => ({ serie: id }));
    const ordre = parentId === null ? [] : ordreSans(lire(base, parentId).elements, id, heritage);
    store.deplacerSousSeries(base, id, parentId);
    store.effacerSerie(base, id);
    if (parentId !== null) store.ecrireOrdre(base, parentId, ordre);
  });
}

/** Puts the places and sub-series of a series in a new order, which must be exactly these. */
export function ordonner(base: Base, id: number, elements: readonly Element[]): Serie {
  return base.write(() => {
    if (!estUnOrdreDe(lire(base, id).elements.map(motDe), elements.map(motDe)))
      throw new Refusal('LISTE_PERIMEE');
    store.ecrireOrdre(base, id, elements);
    return lire(base, id);
  });
}

/**
 * Puts a missing volume on one person's own list: the only place where what is shared and what is
 * personal meet (specification « Scope of data »).
 */
export function souhaiter(base: Base, utilisateur: string, placeId: number): Souhait {
  return base.write(() => {
    const place = store.lirePlace(base, placeId);
    if (place === undefined) throw new Refusal('INTROUVABLE');
    if (place.livreId !== null) throw new Refusal('PLACE_OCCUPEE');
    const { titre, auteur, isbn } = place;
    return ajouterSouhait(base, utilisateur, { titre, auteur, isbn });
  });
}

function parentSaisi(base: Base, { parentId = null }: SerieSaisie): number | null {
  if (parentId !== null && store.lireSerie(base, parentId) === undefined)
    throw champRefuse('parentId', 'n’est pas une série de la bibliothèque');
  return parentId;
}

function placesSaisies(base: Base, { places }: SerieSaisie, ids: readonly number[]): PlaceLue[] {
  const livreExiste = (id: number) => formatDuLivre(base, id) !== undefined;
  return lirePlaces(places ?? [], { places: new Set(ids), livreExiste });
}

function ecrirePlaces(
  base: Base,
  serieId: number,
  elements: readonly Element[],
  places: readonly PlaceLue[],
): void {
  const ids = places.map(({ id, place }) => {
    if (id === null) return store.insererPlace(base, serieId, place);
    store.reecrirePlace(base, id, place);
    return id;
  });
  store.ecrireOrdre(base, serieId, ordreReecrit(elements, ids));
}
