/**
 * A text as searches and keys see it: without accents, case or punctuation, words apart by one
 * blank (contract.md « Rules made exact », Normalise). Nothing remains of a text without a letter
 * or a digit.
 */
export function normaliser(texte: string): string {
  return texte
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/œ/g, 'oe')
    .replace(/æ/g, 'ae')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const MARQUE = /\s+[:/;=–—]\s+|\s+[([]/gu;

const NUMERO_DE_TOME =
  /^(?:(?:tome|vol(?:ume)?\b\.?|t\.|t(?=\d)|n[°º]|livre|#)\s*(?:\d+|[ivxlc]+)\b|\d{1,3}(?=\s*(?:$|[)\],.]|[:/;=–—]\s|[([])))/iu;

/**
 * The key of a work: the normalised title up to its subtitle or its responsibility, so that two
 * editions of one work have one key and two volumes of one series have two
 * (contract.md « Rules made exact », Work key). Always a prefix of `normaliser(titre)` that ends
 * at a word boundary; empty only when the title normalises to nothing.
 */
export function cleOeuvre(titre: string): string {
  for (const marque of titre.matchAll(MARQUE)) {
    const suite = titre.slice(marque.index + marque[0].length);
    if (NUMERO_DE_TOME.test(suite)) continue;
    const cle = normaliser(titre.slice(0, marque.index));
    if (cle !== '') return cle;
  }
  return normaliser(titre);
}

/**
 * The key under which a name is one author: its normalised words, sorted, so that « Hugo, Victor »
 * and « Victor Hugo » are one (contract.md « Rules made exact », Grouping key). A name without a
 * letter or a digit stands for itself.
 */
export function cleRegroupement(nom: string): string {
  const normalise = normaliser(nom);
  if (normalise === '') return nom.trim();
  return normalise.split(' ').sort(comparerTextes).join(' ');
}

/** Compares by code point, where JavaScript's `<` would compare UTF-16 units. */
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
