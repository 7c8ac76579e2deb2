import { Parse } from 'typebox/value';
import { Serie } from '#shared/series';
import type { Send } from './sender.ts';

interface DemoSerie {
  titre: string;
  auteur?: string;
  /** The volumes in reading order; those whose title begins with `*` are not owned. */
  tomes: readonly string[];
  sousSeries?: readonly DemoSerie[];
}

const series: readonly DemoSerie[] = [
  {
    titre: 'Astérix',
    auteur: 'René Goscinny',
    tomes: [
      'Astérix le Gaulois',
      'La Serpe d’or',
      'Astérix et les Goths',
      'Astérix gladiateur',
      '*Le Tour de Gaule d’Astérix',
      'Astérix et Cléopâtre',
      '*Le Combat des chefs',
      '*Astérix chez les Bretons',
    ],
  },
  {
    titre: 'Les Aventures de Tintin',
    auteur: 'Hergé',
    tomes: [
      'Le Lotus bleu',
      '*L’Oreille cassée',
      'Le Secret de la Licorne',
      'Le Trésor de Rackham le Rouge',
      'Objectif Lune',
      'On a marché sur la Lune',
      'Tintin au Tibet',
      'Les Bijoux de la Castafiore',
    ],
  },
  {
    titre: 'Harry Potter',
    auteur: 'J. K. Rowling',
    tomes: [
      'Harry Potter à l’école des sorciers',
      'Harry Potter et la Chambre des secrets',
      '*Harry Potter et le Prisonnier d’Azkaban',
      '*Harry Potter et la Coupe de feu',
      '*Harry Potter et l’Ordre du Phénix',
      '*Harry Potter et le Prince de sang-mêlé',
      '*Harry Potter et les Reliques de la Mort',
    ],
  },
  {
    titre: 'La Comédie humaine',
    auteur: 'Honoré de Balzac',
    tomes: [],
    sousSeries: [
      {
        titre: 'Scènes de la vie privée',
        auteur: 'Honoré de Balzac',
        tomes: ['Le Père Goriot', '*Le Colonel Chabert', '*La Femme de trente ans'],
      },
      {
        titre: 'Scènes de la vie de province',
        auteur: 'Honoré de Balzac',
        tomes: ['Eugénie Grandet', '*Illusions perdues'],
      },
    ],
  },
  {
    titre: 'La Saga Malaussène',
    auteur: 'Daniel Pennac',
    tomes: ['Au bonheur des ogres', 'La Fée Carabine', '*La Petite Marchande de prose'],
  },
];

/** Adds the household's series and cycles; `livreId` finds a book by the beginning of its title. */
export async function fillSeries(send: Send, livreId: (titre: string) => number): Promise<void> {
  const add = async (serie: DemoSerie, parentId: number | null): Promise<void> => {
    const made = await send('camille', 'POST', '/api/series', {
      titre: serie.titre,
      parentId,
      places: serie.tomes.map((tome, index) => ({
        titre: tome.replace(/^\*/, ''),
        numero: String(index + 1),
        auteur: serie.auteur ?? null,
        livreId: tome.startsWith('*') ? null : livreId(tome),
      })),
    });
    const { id } = Parse(Serie, made);
    for (const sousSerie of serie.sousSeries ?? []) await add(sousSerie, id);
  };
  for (const serie of series) await add(serie, null);
}
