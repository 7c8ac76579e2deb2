/**
 * A text as searches and keys see it: without accents, case or punctuation, words apart by one
 * blank (contract.md « Rules made exact », Normalise). Nothing remains of a text without a letter
 * or a digit. What comes out is in Unicode's decomposed form, so Korean syllables are letters.
 */
export function normaliser(texte: string): string {
  if (ASCII.test(texte)) return mots(texte.toLowerCase(), /[^a-z0-9]+/g);
  const minuscules = sansMarques(texte)
    .toLowerCase()
    .replace(/œ/g, 'oe')
    .replace(/æ/g, 'ae')
    .replace(/ß/g, 'ss');
  return mots(minuscules, /[^\p{L}\p{N}]+/gu);
}

/** Most names and many titles: the Unicode tables cost ten times as much, at a device's start. */
const ASCII = /^[\0-\x7f]*$/;

const mots = (texte: string, separateurs: RegExp) => texte.replace(separateurs, ' ').trim();

const sansMarques = (texte: string) => texte.normalize('NFKD').replace(/\p{M}+/gu, '');

/** A subtitle or a responsibility begins here: these stand between blanks, brackets after one. */
const MARQUE = /(?<=\p{White_Space})(?:[:/;=–—](?=\p{White_Space})|[([])/gu;

const MOT_DE_TOME = '(?:tomes?|volumes?|vols?\\.?|t\\.?|n[°o]\\.?|livres?|#)';
const ROMAIN = '(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})';
const ORDINAL = 'premiere?|seconde?|\\p{L}+ieme';

/**
 * What says a volume behind a mark, accents apart: a number after its word (`tome 12`, `T3`,
 * `t. II`, `livre premier`, `#1-3`), or one alone up to the next mark or bracket, of three digits
 * at most, which a point or a comma may end (`5`, `12. Le défi`, `IV`). So a year, a span of years
 * and a number that begins a sentence are subtitles.
 */
const NUMERO_DE_TOME = new RegExp(
  `^[\\s([]*(?:${MOT_DE_TOME}\\s*\\d` +
    `|${MOT_DE_TOME}(?:\\s+|(?<=[.°]))(?:${ROMAIN}|${ORDINAL})(?![\\p{L}\\p{N}])` +
    `|\\d{1,3}[.,](?!\\d)` +
    `|(?:\\d{1,3}|${ROMAIN})\\s*(?:$|[)\\][(]|[:/;=–—]\\s))`,
  'iu',
);

/**
 * The key of a work: the normalised title up to its subtitle or its responsibility, so that two
 * editions of one work have one key and two volumes of one series have two
 * (contract.md « Rules made exact », Work key). Always a prefix of `normaliser(titre)` that ends
 * at a word boundary; empty only when the title normalises to nothing.
 */
export function cleOeuvre(titre: string): string {
  const nu = sansMarques(titre);
  for (const { index } of nu.matchAll(MARQUE)) {
    if (NUMERO_DE_TOME.test(nu.slice(index + 1))) continue;
    return normaliser(nu.slice(0, index)) || normaliser(nu);
  }
  return normaliser(nu);
}

/** The key of a text that two records may not share: normalised, or itself where nothing remains. */
export const cleTexte = (texte: string): string => normaliser(texte) || texte;

/** The same of a title: its work key, or itself where nothing remains. */
export const cleTitre = (titre: string): string => cleOeuvre(titre) || titre;

/**
 * The key under which a name is one author: its normalised words, sorted by code point, so that
 * « Hugo, Victor » and « Victor Hugo » are one (contract.md « Rules made exact », Grouping key).
 * A name without a letter or a digit resembles no other, and stands for itself.
 */
export function cleRegroupement(nom: string): string {
  const normalise = normaliser(nom);
  if (normalise === '') return nom.trim();
  return normalise.split(' ').sort(comparerTextes).join(' ');
}

/** Compares well-formed texts by code point, where JavaScript's `<` compares UTF-16 units. */
export function comparerTextes(a: string, b: string): number {
  const longueur = Math.min(a.length, b.length);
  for (let i = 0; i < longueur; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rangDePoint(x) - rangDePoint(y);
  }
  return a.length - b.length;
}

/** Lifts the surrogates, which begin the highest code points, above the rest of the units. */
const rangDePoint = (unite: number) =>
  unite >= 0xd800 && unite <= 0xdfff ? unite + 0x10000 : unite;
