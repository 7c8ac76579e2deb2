import { ARTICLES, articleInFront, ELIDED_ARTICLE, nfc, normaliser } from './text.ts';

/** The orders of a list of books (docs/rules.md § 6); the first one is the default. */
export const TRIS = [
  'titre',
  'alphabetique',
  'auteur',
  'ajout',
  'annee',
  'serie',
  'emplacement',
  'note',
  'fin',
] as const;
export type Tri = (typeof TRIS)[number];

export type PersonalTri = 'note' | 'fin';
export type SharedTri = Exclude<Tri, PersonalTri>;
export const isPersonalTri = (tri: Tri): tri is PersonalTri => tri === 'note' || tri === 'fin';

/** An article before the title proper; « A » before a French article is the preposition. */
const ARTICLE = new RegExp(
  `^[^\\p{L}\\p{N}]*(?!a\\s+(?:la|le|les|l|un|une)(?![\\p{L}\\p{N}]))(?:${ELIDED_ARTICLE}\\s*|(?:${ARTICLES})\\s+)(?=.*[\\p{L}\\p{N}])`,
  'iu',
);

/**
 * The sort key of a title: normalised, without its article in front or at the end, with numbers by value, so that «
 * La Peste » and « Peste (La) » come under P and « Tome 12 » before « Tome 100 ».
 *
 * @param titreNormalise saves normalising a title without an article
 */
export function titreSortKey(titre: string, titreNormalise?: string): string {
  const proper = articleInFront(titre).replace(ARTICLE, '');
  const isWhole = titreNormalise !== undefined && proper === titre;
  return numbersByValue(isWhole ? titreNormalise : normaliser(proper));
}

/** Puts the count of a number's digits before it: compared as texts, numbers then go by value. */
export const numbersByValue = (text: string): string =>
  text.replace(/\d+/g, (digits) => {
    const bare = digits.replace(/^0+(?=\d)/, '');
    return '9'.repeat(Math.floor(bare.length / 9)) + String(bare.length % 9) + bare;
  });

/** Particles before a family name, which the order ignores. */
const PARTICLES = new Set(['de', 'd', 'du', 'des', 'von', 'zu']);
/** Particles that belong to the family name after a given name. */
const NAME_PARTS = new Set(
  'la le les van vander der den ten ter el al ben ibn mac mc st saint sainte san santa della di da do dos'.split(
    ' ',
  ),
);
const GENERATIONS = new Set(['jr', 'sr', 'fils', 'pere', 'ii', 'iii', 'iv']);

/**
 * The sort key of a name, as of « Nom, Prénom »: the normalised family name without the particles « de », « d’ », «
 * du », « des », « von », a line end, the given names. Both spellings of a name have the same key (docs/rules.md §
 * 6).
 */
export function auteurSortKey(nom: string): string {
  const [family = '', ...rest] = nfc(nom).split(/[,，]/u);
  const given = rest.join(' ');
  if (normaliser(family) !== '' && normaliser(given) !== '') {
    const { aside, name } = setParticlesAside(wordsOf(family));
    return nameSortKey(name, [...wordsOf(given), ...aside]);
  }
  const words = wordsOf(nom);
  const end = words.length > 1 && GENERATIONS.has(words.at(-1) ?? '') ? -1 : words.length;
  const generations = words.slice(end);
  const proper = words.slice(0, end);
  let start = proper.length - 1;
  while (start > 1 && NAME_PARTS.has(proper[start - 1] ?? '')) start--;
  if (start === 1 && ['la', 'le', 'les', 'van'].includes(proper[0] ?? '')) start = 0;
  const { aside, name } = setParticlesAside(proper.slice(Math.max(start, 0)));
  return nameSortKey(name, [...proper.slice(0, Math.max(start, 0)), ...aside, ...generations]);
}

/** The family name as written, without « de »: « Duras », « Le Clézio », « Hugo » of « Hugo, Victor ». */
export function familyName(nom: string): string {
  const [family = '', given] = nom.split(/[,，]/u);
  const words = family.trim().split(/\s+/u);
  if (given !== undefined) return words.join(' ');
  const isPlain = (word: string) => !GENERATIONS.has(normaliser(word));
  const last = words.length - 1 - (words.length > 1 && !isPlain(words.at(-1) ?? '') ? 1 : 0);
  let start = last;
  while (start > 0 && NAME_PARTS.has(normaliser(words[start - 1] ?? ''))) start--;
  return words.slice(start).join(' ');
}

/** The words of a name; a hyphen or an apostrophe joins a word, except in « d’ ». */
const wordsOf = (text: string): string[] =>
  text
    .replace(/(?<![\p{L}\p{N}])d['’ʼ‘`´]/giu, 'd ')
    .split(/\s+/u)
    .map(normaliser)
    .filter((word) => word !== '');

function setParticlesAside(words: readonly string[]): { aside: string[]; name: string[] } {
  const count = words.findIndex((word) => !PARTICLES.has(word));
  return count < 1
    ? { aside: [], name: [...words] }
    : { aside: words.slice(0, count), name: words.slice(count) };
}

const nameSortKey = (family: readonly string[], given: readonly string[]): string =>
  `${family.join(' ')}\n${given.filter((word) => !PARTICLES.has(word)).join(' ')}`;

/** For texts after Z, and missing ones. */
export const LAST_LETTER = '…';

/** The stop of a sort key on the rail of letters: « A » to « Z », « # » for numbers, else « … ». */
export function letterOf(sortKey: string): string {
  const first = sortKey.charAt(0);
  if (first >= '0' && first <= '9') return '#';
  return first >= 'a' && first <= 'z' ? first.toUpperCase() : LAST_LETTER;
}

export interface RailStop {
  readonly letter: string;
  readonly index: number;
}

/** The first row of each letter; rows are in the order of their letters. */
export function railOf(count: number, letterAt: (index: number) => string): RailStop[] {
  const stops: RailStop[] = [];
  for (let index = 0; index < count; index++) {
    const letter = letterAt(index);
    if (letter !== stops.at(-1)?.letter) stops.push({ letter, index });
  }
  return stops;
}

/** « Honoré de Balzac » becomes « Balzac, Honoré de »; a single word or a name with a comma is unchanged. */
export function familyFirst(nom: string): string {
  const family = familyName(nom);
  const words = nom.trim().split(/\s+/u);
  const given = words.slice(0, -family.split(' ').length).join(' ');
  return nom.includes(',') || given === '' ? nom : `${family}, ${given}`;
}
