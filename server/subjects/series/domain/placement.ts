import { emptyToNull } from '#shared/fields';
import type { SerieDuLivre } from '#shared/livres';
import { champRefusal } from '#shared/refusals';
import {
  arrangeVolumes,
  fitsPlace,
  isSameNumero,
  outlivesLivre,
  type Volume,
} from '#shared/series-fit';
import { joinAuteurs } from '#shared/souhaits';
import type { Transaction } from '#server/plumbing/database/transaction';
import { readSerie } from '../store/document.ts';
import * as store from '../store/series.ts';
import { orderAfterRewrite } from './order.ts';
import { lireSerie } from './series.ts';

type Livre = Omit<Volume, 'numero'> & { readonly id: number };

/** A volume and its book; `null` for one that is missing. */
type VolumeOfLivre = Volume & { readonly livreId: number | null };

/** The place of a volume: made for it, filled by it, or the one where its book stood before. */
interface Placement {
  readonly placeId: number;
  readonly outcome: 'made' | 'filled' | 'before';
}

/**
 * Puts a book into a series, moves it from the place that it leaves, or takes it out. Sent again it
 * changes nothing (docs/rules.md § 19). Refuses a series that does not exist.
 */
export function placerEnSerie(
  database: Transaction,
  livre: Livre,
  { serie, numero, de }: SerieDuLivre,
): void {
  const serieId = serie === null ? null : serieIdOf(database, serie, 'serie.id');
  const held = store.placesOfLivre(database, livre.id);
  const named = held.find(({ id }) => id === de);
  const there = [named, ...held].find((place) => place?.serieId === serieId);
  const left = de === undefined ? (there ?? held[0]) : named;
  const typed = emptyToNull(numero);
  const placeIds =
    serieId === null ? [] : enterSerie(database, { serieId, livre, there, numero: typed });
  for (const placeId of placeIds)
    if (typed !== null || (numero !== undefined && placeId === de))
      store.updatePlace(database, placeId, { numero: typed });
  if (left !== undefined && left.id !== there?.id) leavePlace(database, left);
}

/** What the place of a book in a series is found by. */
interface Entering {
  readonly serieId: number;
  readonly livre: Livre;
  /** Where the book stands in this series already. */
  readonly there: store.PlaceOfLivre | undefined;
  readonly numero: string | null;
}

/** Puts a book into a series and returns its place; the number of a missing volume moves it there. */
function enterSerie(database: Transaction, { serieId, livre, there, numero }: Entering): number[] {
  if (there !== undefined) {
    const isAnother =
      !isSameNumero(there.numero, numero) &&
      lireSerie(database, serieId).places.some(
        (place) => place.livreId === null && isSameNumero(place.numero, numero),
      );
    if (!isAnother) return [there.id];
    leavePlace(database, there);
  }
  const volume = { ...livre, livreId: livre.id, numero };
  return placerVolumes(database, serieId, [volume]).map(({ placeId }) => placeId);
}

function leavePlace(database: Transaction, place: store.PlaceOfLivre): void {
  if (outlivesLivre(place)) store.updatePlace(database, place.id, { livreId: null });
  else store.deletePlace(database, place.id);
}

/**
 * Puts volumes into a series; a book that stands there already stays where it is (docs/rules.md § 19).
 *
 * @returns the place of each volume, in their order
 */
export function placerVolumes(
  database: Transaction,
  serieId: number,
  volumes: readonly VolumeOfLivre[],
): Placement[] {
  const { places, elements } = lireSerie(database, serieId);
  const placements = new Map<VolumeOfLivre, Placement>();
  const standing = new Map(places.map(({ id, livreId }) => [livreId, id]));
  for (const volume of volumes) {
    const placeId = volume.livreId === null ? undefined : standing.get(volume.livreId);
    if (placeId !== undefined) placements.set(volume, { placeId, outcome: 'before' });
  }
  const coming = volumes.filter((volume) => !placements.has(volume));
  const ids = arrangeVolumes(places, coming).map((one) => {
    if (one.kind === 'kept') return one.place.id;
    const placement =
      one.kind === 'new'
        ? insertPlace(database, serieId, one.volume)
        : fillPlace(database, one.place.id, one.volume.livreId);
    placements.set(one.volume, placement);
    return placement.placeId;
  });
  store.writeOrder(database, serieId, orderAfterRewrite(elements, ids));
  return volumes.flatMap((volume) => placements.get(volume) ?? []);
}

function insertPlace(database: Transaction, serieId: number, volume: VolumeOfLivre): Placement {
  const { titre, numero, isbn, livreId } = volume;
  const auteur = joinAuteurs(volume.auteurs.map(({ nom }) => nom));
  const placeId = store.insertPlace(database, serieId, { titre, numero, livreId, auteur, isbn });
  return { placeId, outcome: 'made' };
}

/** Gives a missing volume its book, if it has one; what is known of the volume stays. */
function fillPlace(database: Transaction, placeId: number, livreId: number | null): Placement {
  if (livreId === null) return { placeId, outcome: 'before' };
  store.updatePlace(database, placeId, { livreId });
  return { placeId, outcome: 'filled' };
}

/**
 * The series of an id, or of a title: the oldest of this title, made where there is none. Refuses at
 * `champ` an id that is no series.
 */
export function serieIdOf(
  database: Transaction,
  serie: NonNullable<SerieDuLivre['serie']>,
  champ: string,
): number {
  if ('titre' in serie)
    return (
      store.serieIdByTitre(database, serie.titre) ??
      store.insertSerie(database, { titre: serie.titre, parentId: null, nombreTomes: null })
    );
  if (readSerie(database, serie.id) === undefined)
    throw champRefusal(champ, 'n’est pas une série de la bibliothèque');
  return serie.id;
}

/**
 * Puts a bought book into the missing volume's place that its wish came from, else into the only one
 * that it fits; where it fits several, a person decides (docs/rules.md § 19).
 */
export function placerAchat(database: Transaction, livre: Livre, placeId: number | null): void {
  const missing = store.missingPlaces(database);
  const [fitting, ...others] = missing.filter((place) => fitsPlace(livre, place));
  const only = others.length === 0 ? fitting : undefined;
  const place = missing.find(({ id }) => id === placeId) ?? only;
  if (place !== undefined) store.updatePlace(database, place.id, { livreId: livre.id });
}
