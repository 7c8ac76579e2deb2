import type { Place, Serie, SerieSaisie } from '#shared/series';
import type { House } from './house.ts';

export async function ajouterSerie(house: House, saisie: Partial<SerieSaisie>): Promise<Serie> {
  const { status, body } = await house.ask(null, 'POST', '/api/series', {
    titre: 'Une série',
    ...saisie,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as Serie;
}

export const lireSerie = async (house: House, id: number): Promise<Serie> =>
  (await house.ask(null, 'GET', `/api/series/${String(id)}`)).body as Serie;

/** The titles in a series, with subseries in brackets. */
export async function ordre(house: House, id: number): Promise<string[]> {
  const { places, sousSeries, elements } = await lireSerie(house, id);
  const titreOf = (records: readonly { id: number; titre: string }[], wanted: number) =>
    records.find((each) => each.id === wanted)?.titre ?? '?';
  return elements.map((element) =>
    'place' in element ? titreOf(places, element.place) : `[${titreOf(sousSeries, element.serie)}]`,
  );
}

export const makePlace = (id: number, titre: string, rest: Partial<Place> = {}): Place => ({
  id,
  titre,
  numero: null,
  tomes: null,
  livreId: null,
  auteur: null,
  isbn: null,
  ...rest,
});

export const makeSerie = (id: number, titre: string, places: readonly Place[]): Serie => ({
  id,
  titre,
  parentId: null,
  nombreTomes: null,
  places: [...places],
  sousSeries: [],
  elements: places.map((place) => ({ place: place.id })),
});
