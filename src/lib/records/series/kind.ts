import Layers from '@lucide/svelte/icons/layers';
import { ApiError, refusalOf } from '$lib/api/call';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { operation } from '$lib/api/write.svelte';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { views } from '$lib/sync/views.svelte';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import * as endpoints from '#shared/series';
import type { Place, Serie, SerieSaisie } from '#shared/series';
import { slotsOf } from '#shared/series-gaps';
import { joinAuteurs } from '#shared/souhaits';
import { livresView } from '../livres/view.svelte.ts';
import { SERIE_FIELDS, SerieEntry } from './serie-entry.svelte.ts';
import { type PlaceInSerie, seriesView } from './view.svelte.ts';

export const ajouterSerie = operation(endpoints.ajouterSerie);
/** Rewrites a series and its places. Throws the refusal `CYCLE_IMPOSSIBLE` for a series inside itself. */
const modifierSerie = operation(endpoints.modifierSerie);
const supprimerSerie = operation(endpoints.supprimerSerie);
/** Reorders places and sub-series. Throws the refusal `LISTE_PERIMEE` unless they are all of them. */
export const ordonnerSerie = operation(endpoints.ordonnerSerie);
/** Puts a missing volume on the reader's own list. Throws `SOUHAIT_EXISTANT` and `PLACE_OCCUPEE`. */
export const souhaiterPlace = operation(endpoints.souhaiterPlace);

/** Changes some fields of a series as this device holds it; all else of it stays. */
const changerSerie = (
  { id, titre, parentId, nombreTomes, places }: Serie,
  change: Partial<SerieSaisie>,
): Promise<Serie> =>
  modifierSerie(
    id,
    { titre, parentId, nombreTomes, places, ...change },
    { ifMatch: views().revisionOf('series', id) },
  );

/**
 * Puts a series into another one, at its end.
 *
 * @throws the refusal `CYCLE_IMPOSSIBLE` for a series inside itself
 */
export const placerSerie = (serie: Serie, parentId: number): Promise<Serie> =>
  changerSerie(serie, { parentId });

/** Says how many volumes a series has, being finished; `null` where it goes on. */
export const finirSerie = (serie: Serie, nombreTomes: number | null): Promise<Serie> =>
  changerSerie(serie, { nombreTomes });

/**
 * Adds the volumes that the numbers of a series leave out as missing ones, each where its number
 * belongs, by the author that all its volumes have.
 *
 * @param titreOf the title of the volume of a number
 */
export function ajouterManquants(
  serie: Serie,
  gaps: readonly string[],
  titreOf: (numero: string) => string,
): Promise<Serie> {
  const [auteur, ...others] = new Set(serie.places.map((place) => auteurOfPlace(place)));
  const places = slotsOf(serie.places, gaps).map((slot) =>
    'place' in slot
      ? slot.place
      : {
          titre: titreOf(slot.gap),
          numero: slot.gap,
          auteur: others.length === 0 ? (auteur ?? null) : null,
        },
  );
  return changerSerie(serie, { places });
}

/** What a volume says of its author: the place, or else its book. */
function auteurOfPlace({ auteur, livreId }: Place): string | null {
  const livre = livreId === null ? undefined : livresView.get(livreId);
  return joinAuteurs(livre?.auteurs.map(({ nom }) => nom) ?? []) ?? auteur;
}

const fillPlace = operation(endpoints.placerLivre);

/**
 * Puts a book in a missing volume's place; all else of the series stays as the server has it.
 *
 * @throws the refusal `MODIFIE_ENTRETEMPS` where the place has been filled or deleted meanwhile
 */
export async function placerLivre(
  { serie, place }: PlaceInSerie,
  livreId: number,
  ifMatch: number | null = views().revisionOf('series', serie.id),
): Promise<Serie> {
  try {
    return await fillPlace(place.id, { livreId }, { ifMatch });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code !== 'MODIFIE_ENTRETEMPS' || !(error instanceof ApiError)) throw error;
    const current = unsafeCast<Serie | null>(refusal.actuel)?.places.find(
      ({ id }) => id === place.id,
    );
    if (current?.livreId !== null || error.revision === ifMatch) throw error;
    return placerLivre({ serie, place }, livreId, error.revision);
  }
}

export const series: EditableKind<Serie, SerieEntry> & ScreenKind<Serie> = {
  collection: 'series',
  label: m.field_serie,
  fields: SERIE_FIELDS,
  get: (id) => seriesView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (serie) => new SerieEntry(serie, serie.id),
  ajouter: (entry, unsent) => ajouterSerie(entry.toSaisie(), { unsent }),
  modifier: (id, entry, ifMatch, unsent) =>
    modifierSerie(id, entry.toSaisie(seriesView.get(id)), { ifMatch, unsent }),
  supprimer: ({ id }, ifMatch) => supprimerSerie(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/series/${id}`),
  listOf(serie) {
    const parent = seriesView.ancestors(serie).at(-1);
    return parent === undefined
      ? { href: href('/series'), label: m.destination_series() }
      : { href: href(`/series/${parent.id}`), label: parent.titre };
  },
  notFound: () => ({
    icon: Layers,
    heading: m.serie_not_found(),
    text: m.not_found_text_feminine(),
    back: { href: href('/series'), label: m.back_to_series() },
  }),
};
