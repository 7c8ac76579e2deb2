import { normaliser } from './text.ts';

/** Words that a surname begins with: « Le Clézio » is no surname and a given name. */
const PARTICLE = /^(?:l[ea]s?|d[eu]s?|d'|van|von|der|den|del|di|da|el|al|mc|mac|saint|st)$/i;

/** What a family name begins with behind a given name: « Guy de Maupassant », « Jean d’Ormesson ». */
const INNER_PARTICLE = /^(?:d[eu]s?|la|von|van|der|den|di|da)$/;

/** A last word that a particle precedes is no given name, so the name stands in reading order. */
function isInReadingOrder(words: readonly string[]): boolean {
  const [before = '', last = ''] = words.slice(-2);
  if (words.length < 2 || PARTICLE.test(words[0] ?? '')) return false;
  return /^d['’]/.test(last) || (words.length > 2 && INNER_PARTICLE.test(before));
}

/** The words of a name. */
export const wordsOf = (nom: string): string[] => nom.split(/\s+/u).filter((word) => word !== '');

/** Whether nothing says where the surname of « Nom Prénom » ends: several words, or a particle. */
export function isDoubtful(nom: string): boolean {
  const words = wordsOf(nom);
  if (isInReadingOrder(words)) return false;
  return words.length > 2 || (words.length === 2 && PARTICLE.test(words[0] ?? ''));
}

/**
 * « Poe Edgar Allan » in reading order: the surname ends before the first given name that is known, else
 * behind its first word that is no particle. What is one word stays, and what ends as « de Maupassant ».
 *
 * @param givenNames given names of authors that the household knows, normalised
 */
export function invertNom(nom: string, givenNames: ReadonlySet<string> = new Set()): string {
  const words = wordsOf(nom);
  if (isInReadingOrder(words)) return words.join(' ');
  const known = words.findIndex((word, i) => i > 0 && givenNames.has(normaliser(word)));
  const surname = words.findIndex((word) => !PARTICLE.test(word));
  const end = known > 0 ? known : surname + 1;
  return end <= 0 || end >= words.length
    ? words.join(' ')
    : [...words.slice(end), ...words.slice(0, end)].join(' ');
}

/** What stands second in several names is a given name: « Poe Edgar Allan », « Jacobs Edgar Pierre ». */
export function commonSecondWords(noms: readonly string[]): string[] {
  const counts = Map.groupBy(noms, (nom) => normaliser(wordsOf(nom)[1] ?? ''));
  return [...counts].flatMap(([word, same]) => (word !== '' && same.length > 1 ? [word] : []));
}

/** The given names of names in reading order: their first words, where others follow. */
export const givenNamesOf = (noms: Iterable<string>): Set<string> =>
  new Set(
    [...noms].flatMap((nom) => {
      const [first, second] = wordsOf(nom);
      return first === undefined || second === undefined || PARTICLE.test(first)
        ? []
        : [normaliser(first)];
    }),
  );
