import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { LivreDocument } from '#shared/livres';
import { normaliser } from '#shared/text';
import { makeLivre } from '../../test/support/livres.ts';

export function readLivres(file: string): LivreDocument[] {
  const rows = parse<Record<string, string>>(readFileSync(file), { columns: true, bom: true });
  return rows.map(({ title = '', authors = '' }, i) => toLivre(i + 1, title, authors.split(', ')));
}

/** Generates books, the same ones each time; few words are common, as in a language. */
export function makeLivres(count: number): LivreDocument[] {
  const random = lehmer(20_261);
  const words = Array.from({ length: 30_000 }, () => makeWord(random, 1 + random(4)));
  const word = () => words[Math.floor(words.length * (random(1000) / 1000) ** 4)] ?? '';
  const names = Array.from(
    { length: 1 + count / 3 },
    () => `${capitalize(makeWord(random, 2))} ${capitalize(makeWord(random, 3))}`,
  );
  return Array.from({ length: count }, (_, i) => {
    const titre = Array.from({ length: 1 + random(6) }, word).join(' ');
    return toLivre(i + 1, capitalize(titre), [names[random(names.length)] ?? '']);
  });
}

/** Searches as people type them: beginnings of titles and of authors' names. */
export const searchesFor = (livres: readonly LivreDocument[], count = 40): string[] =>
  livres
    .filter((_, i) => i % Math.ceil(livres.length / count) === 0)
    .map(({ titreNormalise, auteurs }, i) =>
      (i % 2 === 0 ? titreNormalise : normaliser(auteurs[0]?.nom ?? 'a')).slice(0, 12),
    );

/** The same books with eight details each: some repeated values, and a unique summary. */
export function withDetails(livres: readonly LivreDocument[]): LivreDocument[] {
  const random = lehmer(4_711);
  const words = Array.from({ length: 30_000 }, () => makeWord(random, 1 + random(4)));
  const word = () => words[Math.floor(words.length * (random(1000) / 1000) ** 4)] ?? '';
  const text = (count: number) => Array.from({ length: count }, word).join(' ');
  return livres.map((livre) => ({
    ...livre,
    details: [
      { nom: 'Langue', valeur: ['français', 'anglais', 'arabe'][random(3)] ?? '' },
      { nom: 'État', valeur: ['bon état', 'neuf', 'usé'][random(3)] ?? '' },
      { nom: 'Prix', valeur: `${String(random(40))},50 €` },
      { nom: 'Traduction', valeur: `${capitalize(makeWord(random, 2))} ${capitalize(word())}` },
      { nom: 'Collection', valeur: `Collection ${String(random(200))}` },
      { nom: 'Cote', valeur: `B ${String(livre.id)}` },
      { nom: 'Titre original', valeur: capitalize(text(3)) },
      { nom: 'Résumé', valeur: `${capitalize(text(70))}.\n\n${capitalize(text(30))}.` },
    ],
  }));
}

const toLivre = (id: number, titre: string, auteurs: readonly string[]): LivreDocument =>
  makeLivre(id, titre, {
    auteurs: auteurs.map((nom, i) => ({ id: 10 * id + i, nom })),
    format: id % 9 === 0 ? 'Numerique' : 'Physique',
  });

/** Lehmer's generator: integers below a bound, determined by the seed. */
function lehmer(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => (state = (state * 48_271) % 2_147_483_647) % bound;
}

const SYLLABLES =
  'a an bou cha dé en fi gra ho il jo ker la mon né or pa quin ro sé ta u ver za'.split(' ');

const makeWord = (random: (bound: number) => number, syllables: number) =>
  Array.from({ length: syllables }, () => SYLLABLES[random(SYLLABLES.length)]).join('');

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
