import type { Element, Place, Serie } from '#shared/series';

/** A series as SQL gives it, its lists as JSON texts in their order. */
export interface LigneSerie extends Pick<Serie, 'id' | 'titre' | 'parentId'> {
  readonly places: string;
  readonly sousSeries: string;
}

/** The columns, besides its id, of a series `d`. */
export const COLONNES_SERIE = `d.titre, d.parentId,
  (SELECT json_group_array(json_array(p.position, p.id, p.titre, p.numero, p.livreId, p.auteur,
     p.isbn) ORDER BY p.position, p.id)
   FROM Place p WHERE p.serieId = d.id) AS places,
  (SELECT json_group_array(json_array(s.position, s.id, s.titre) ORDER BY s.position, s.id)
   FROM Serie s WHERE s.parentId = d.id) AS sousSeries`;

export function enSerie({ id, titre, parentId, ...ligne }: LigneSerie): Serie {
  const places = placesDans(ligne.places);
  const sousSeries = sousSeriesDans(ligne.sousSeries);
  const elements: { position: number; element: Element }[] = [
    ...places.map(([position, place]) => ({ position, element: { place } })),
    ...sousSeries.map(([position, serie]) => ({ position, element: { serie } })),
  ];
  return {
    id,
    titre,
    parentId,
    places: places.map(([, ...place]) => enPlace(place)),
    sousSeries: sousSeries.map(([, id, titre]) => ({ id, titre })),
    elements: elements.sort((a, b) => a.position - b.position).map(({ element }) => element),
  };
}

type LignePlace = [
  id: Place['id'],
  titre: Place['titre'],
  numero: Place['numero'],
  livreId: Place['livreId'],
  auteur: Place['auteur'],
  isbn: Place['isbn'],
];

const enPlace = ([id, titre, numero, livreId, auteur, isbn]: LignePlace): Place => ({
  id,
  titre,
  numero,
  livreId,
  auteur,
  isbn,
});

// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- it is what the columns above have just made
const placesDans = (json: string) => JSON.parse(json) as [position: number, ...LignePlace][];

const sousSeriesDans = (json: string) =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- it is what the columns above have just made
  JSON.parse(json) as [position: number, id: number, titre: string][];
