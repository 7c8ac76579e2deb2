import type { Send } from './sender.ts';

/** A finished reading: days ago, rating in half stars, review. */
type Reading = readonly [titre: string, daysAgo: number, note: number | null, avis?: string];

/** Camille's readings, besides the books with the status « Lu ». */
const READINGS: readonly Reading[] = [
  ['La Place', 12, 9, 'Quatre-vingts pages, et toute une vie dedans.'],
  ['Persepolis', 33, 8],
  ['L’Art de perdre', 47, 10],
  ['Culottées', 52, 7],
  ['Réparer les vivants', 78, 8],
  ['Zazie dans le métro', 95, 9, 'Doukipudonktan !'],
  ['Les Années', 110, 10],
  ['L’Amant', 118, 6],
  ['Chanson douce', 124, 7],
  ['Au revoir là-haut', 128, 8],
  ['La Servante écarlate', 160, 9],
  ['L’Étranger', 201, 8],
  ['Jane Eyre', 262, 9],
  ['Orgueil et Préjugés', 301, 10],
  ['L’Étranger', 2400, 9],
  ['Le Nom de la rose', 420, 8],
  ['La Promesse de l’aube', 455, 9],
  ['L’Élégance du hérisson', 530, 5],
];

/** Books from a library and from friends. */
const ELSEWHERE = [
  { titre: 'Les Vagues', auteurs: ['Virginia Woolf'], note: 8, daysAgo: 190 },
  { titre: 'Le Lambeau', auteurs: ['Philippe Lançon'], note: 10, daysAgo: 480 },
] as const;

const DAY_MS = 86_400_000;
export const dayOf = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

/** Adds Camille's readings; setting « Lu » afterwards adds no second one. */
export async function fillLectures(send: Send, idOf: (titre: string) => number): Promise<void> {
  for (const [titre, daysAgo, note, avis] of READINGS)
    await send('camille', 'POST', '/api/lectures', {
      livreId: idOf(titre),
      fin: dayOf(daysAgo),
      note,
      avis,
    });
  for (const { daysAgo, ...lecture } of ELSEWHERE)
    await send('camille', 'POST', '/api/lectures', { ...lecture, fin: dayOf(daysAgo) });
  await send('camille', 'POST', '/api/lectures', {
    livreId: idOf('Montaillou'),
    debut: dayOf(220),
    fin: dayOf(200),
    abandon: true,
  });
}
