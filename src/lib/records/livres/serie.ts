import { ApiError, refusalOf } from '$lib/api/error';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { ajouterSerie, knownSeries, modifierSerie } from '../series/operations.ts';
import { seriesView, type PlaceInSerie } from '../series/view.svelte.ts';
import type { Batch } from '$lib/sync/feedback.svelte';
import type { Livre } from '#shared/livres';
import type { PlaceSaisie, Serie } from '#shared/series';
import { fitsPlace, serieOfTitre } from '#shared/series-fit';
import { normaliser } from '#shared/text';

/** A book's place in a series, as a person types it. */
export interface SerieChoice {
  /** The title of a series, known or not; blank for none. */
  readonly serie: string;
  readonly numero: string;
}

type PlacedLivre = Pick<Livre, 'id' | 'titre' | 'isbn' | 'auteurs'>;

/**
 * Puts a book in a series: in the place of the volume that it is, or of its number, where that one is
 * missing; else in a new place by its number. A series that is not known is made.
 */
export async function placerInSerie(
  livre: PlacedLivre,
  { serie, numero }: SerieChoice,
  batch: Batch,
): Promise<Serie> {
  const known = serieOfTitre(serie, await knownSeries());
  const place = { titre: livre.titre, numero: numero.trim(), livreId: livre.id };
  if (known === null) return ajouterSerie({ titre: serie.trim(), places: [place] }, batch);
  return rewrite(known, batch, (places) => {
    if (places.some(({ livreId }) => livreId === livre.id)) return numbered(places, livre, numero);
    const missing = places.findIndex(
      (one) => fitsPlace(livre, one) || (one.livreId === null && isNumero(one.numero, numero)),
    );
    const position = positionOf(places, numero);
    if (missing < 0) return [...places.slice(0, position), place, ...places.slice(position)];
    return places.map((one, i) =>
      i === missing
        ? { ...one, livreId: livre.id, numero: numero.trim() === '' ? one.numero : numero.trim() }
        : one,
    );
  });
}

/** Takes a book out of a series; a volume that was known before the book stays as a missing one. */
export const removeFromSerie = (
  livreId: number,
  { serie }: PlaceInSerie,
  batch: Batch,
): Promise<Serie> =>
  rewrite(serie, batch, (places) =>
    places.flatMap((one) => {
      if (one.livreId !== livreId) return [one];
      return one.isbn === null && one.auteur === null ? [] : [{ ...one, livreId: null }];
    }),
  );

/** Has a book in the series that its form says, in place of the first one that it stands in. */
export async function moveToSerie(
  livre: PlacedLivre,
  choice: SerieChoice,
  batch: Batch,
): Promise<void> {
  const current = placeOf(livre.id, await knownSeries());
  const wanted = normaliser(choice.serie);
  if (current !== undefined && normaliser(current.serie.titre) === wanted) {
    if (choice.numero.trim() === (current.place.numero ?? '')) return;
    await rewrite(current.serie, batch, (places) => numbered(places, livre, choice.numero));
    return;
  }
  if (wanted !== '') await placerInSerie(livre, choice, batch);
  if (current !== undefined) await removeFromSerie(livre.id, current, batch);
}

/** The first place that a book holds, by the title of the series. */
function placeOf(livreId: number, series: readonly Serie[]): PlaceInSerie | undefined {
  for (const serie of series)
    for (const place of serie.places) if (place.livreId === livreId) return { serie, place };
  return undefined;
}

/** Rewrites the places of a series as it is by now, whatever it was on this device. */
async function rewrite(
  serie: Serie,
  batch: Batch,
  change: (places: Serie['places']) => PlaceSaisie[],
  revision: number | null = seriesView.revisionOf(serie.id),
): Promise<Serie> {
  const { id, titre, parentId } = serie;
  try {
    const saisie = { titre, parentId, places: change(serie.places) };
    return await modifierSerie(id, saisie, revision, batch);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code !== 'MODIFIE_ENTRETEMPS' || !(error instanceof ApiError)) throw error;
    const current = unsafeCast<Serie | null>(refusal.actuel);
    if (current === null || error.revision === revision) throw error;
    return rewrite(current, batch, change, error.revision);
  }
}

const numbered = (places: Serie['places'], { id }: PlacedLivre, numero: string): PlaceSaisie[] =>
  places.map((one) => (one.livreId === id ? { ...one, numero: numero.trim() } : one));

const isNumero = (known: string | null, typed: string): boolean =>
  typed.trim() !== '' && known !== null && normaliser(known) === normaliser(typed);

/** Before the first volume with a higher number, else at the end. */
function positionOf(places: Serie['places'], numero: string): number {
  const typed = Number.parseFloat(numero);
  const next = places.findIndex((one) => Number.parseFloat(one.numero ?? '') > typed);
  return next < 0 ? places.length : next;
}
