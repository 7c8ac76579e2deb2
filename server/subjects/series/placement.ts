import { emptyToNull } from '#shared/fields';
import type { SerieDuLivre } from '#shared/livres';
import type { Place } from '#shared/series';
import { arrangeVolumes, fitsPlace, isSameNumero, type Volume } from '#shared/series-fit';
import { joinAuteurs } from '#shared/souhaits';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import {
  deletePlace,
  insertPlace,
  lireSerie,
  orderAfterRewrite,
  serieIdOf,
  updatePlace,
  writeOrder,
} from './series.ts';

interface PlaceOfLivre {
  readonly id: number;
  readonly serieId: number;
  readonly numero: string | null;
  /** 1 for a place that was made with this book. */
  readonly isOfLivre: 0 | 1;
}

export const placesOfLivre = (database: Reader, livreId: number): PlaceOfLivre[] =>
  database.all<PlaceOfLivre>(
    `SELECT p.id, p.serieId, p.numero, p.premierLivreId IS p.livreId AS isOfLivre
     FROM Place p JOIN Serie s ON s.id = p.serieId WHERE p.livreId = ?
     ORDER BY normaliser(s.titre), s.id, p.position, p.id`,
    livreId,
  );

type Livre = Omit<Volume, 'numero'> & { readonly id: number };

/**
 * Puts a book into a series, moves it from the place that it leaves, or takes it out. Sent again it changes nothing
 * (docs/rules.md § 19). Throws `REQUETE_INVALIDE` for an unknown series.
 */
export function placerEnSerie(
  tx: Transaction,
  livre: Livre,
  { serie, numero, de }: SerieDuLivre,
): void {
  const serieId = serie === null ? null : serieIdOf(tx, serie, 'serie.id');
  const held = placesOfLivre(tx, livre.id);
  const named = held.find(({ id }) => id === de);
  const there = [named, ...held].find((place) => place?.serieId === serieId);
  const left = de === undefined ? (there ?? held[0]) : named;
  const typed = emptyToNull(numero);
  const placeIds = serieId === null ? [] : enterSerie(tx, serieId, livre, typed, there);
  for (const placeId of placeIds)
    if (typed !== null || (numero !== undefined && placeId === de))
      updatePlace(tx, placeId, { numero: typed });
  if (left !== undefined && left.id !== there?.id) leavePlace(tx, left);
}

/**
 * Puts a book into a series and returns its place; the number of a missing volume moves it there.
 *
 * @param there its present place in this series
 */
function enterSerie(
  tx: Transaction,
  serieId: number,
  livre: Livre,
  numero: string | null,
  there: PlaceOfLivre | undefined,
): number[] {
  if (there !== undefined) {
    const isAnother =
      !isSameNumero(there.numero, numero) &&
      lireSerie(tx, serieId).places.some(
        (place) => place.livreId === null && isSameNumero(place.numero, numero),
      );
    if (!isAnother) return [there.id];
    leavePlace(tx, there);
  }
  const volume = { ...livre, livreId: livre.id, numero };
  return placerVolumes(tx, serieId, [volume]).map(({ placeId }) => placeId);
}

/** The place stays, without the book, where it has a number or was known before (docs/rules.md § 19). */
function leavePlace(tx: Transaction, { id, numero, isOfLivre }: PlaceOfLivre): void {
  if (numero === null && isOfLivre === 1) deletePlace(tx, id);
  else updatePlace(tx, id, { livreId: null });
}

type VolumeOfLivre = Volume & { readonly livreId: number | null };

/** The place of a volume: made for it, filled by it, or that where its book was before. */
interface Placement {
  readonly placeId: number;
  readonly outcome: 'made' | 'filled' | 'before';
}

/**
 * Puts volumes into a series; a book that is there already stays at its place (docs/rules.md § 19).
 *
 * @returns the place of each volume, in their order
 */
export function placerVolumes(
  tx: Transaction,
  serieId: number,
  volumes: readonly VolumeOfLivre[],
): Placement[] {
  const { places, elements } = lireSerie(tx, serieId);
  const placements = new Map<VolumeOfLivre, Placement>();
  const standing = new Map(places.map(({ id, livreId }) => [livreId, id]));
  for (const volume of volumes) {
    const placeId = volume.livreId === null ? undefined : standing.get(volume.livreId);
    if (placeId !== undefined) placements.set(volume, { placeId, outcome: 'before' });
  }
  const coming = volumes.filter((volume) => !placements.has(volume));
  const ids = arrangeVolumes(places, coming).map((one, position) => {
    if (one.kind === 'kept') return one.place.id;
    const placement =
      one.kind === 'new'
        ? makePlace(tx, { serieId, position }, one.volume)
        : fillPlace(tx, one.place.id, one.volume.livreId);
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
  const { titre, numero, isbn, livreId } = volume;
  const auteur = joinAuteurs(volume.auteurs.map(({ nom }) => nom));
  const placeId = insertPlace(tx, at, { titre, numero, livreId, auteur, isbn });
  return { placeId, outcome: 'made' };
}

/** Gives a missing volume its book, if any; what is known of the volume stays. */
function fillPlace(tx: Transaction, placeId: number, livreId: number | null): Placement {
  if (livreId === null) return { placeId, outcome: 'before' };
  updatePlace(tx, placeId, { livreId });
  return { placeId, outcome: 'filled' };
}

/**
 * Puts a bought book into the place of the missing volume that its wish was made from, else into the only place that it
 * fits; where it fits several, a person decides (docs/rules.md § 19).
 */
export function placerAchat(tx: Transaction, livre: Livre, placeId: number | null): void {
  const missing = tx.all<Pick<Place, 'id' | 'titre' | 'auteur' | 'isbn' | 'livreId'>>(
    'SELECT id, titre, auteur, isbn, livreId FROM Place WHERE livreId IS NULL ORDER BY id',
  );
  const [fitting, ...others] = missing.filter((place) => fitsPlace(livre, place));
  const only = others.length === 0 ? fitting : undefined;
  const place = missing.find(({ id }) => id === placeId) ?? only;
  if (place !== undefined) updatePlace(tx, place.id, { livreId: livre.id });
}
