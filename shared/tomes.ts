import type { Place } from './series.ts';
import { isAnd, numeroOf, parseTome, readable, readRoman } from './series-titres.ts';

// cspell:ignore grale grales coffret coffrets recueils
/** Larger numbers are years or numbers of a collection, without earlier volumes. */
const MAX_TOME = 400;

/** « Intégrale », « coffret » before the numbers of the volumes inside. */
const COLLECTION =
  /^(?:l['’]\s?)?(?:int[ée]grales?|int\.?|coffrets?|omnibus|recueils?|compilations?)(?![\p{L}\p{N}])[\s,.:;(–—-]*/iu;
/** The number of the « intégrale » itself, before its volumes: « 2 (4-6) », « 2 : tomes 4 à 6 ». */
const OWN_NUMERO = /^\d{1,2}\s*(?:[:(]\s*|(?:[,.–—-]\s*)?(?=tome|t\.?\s*\d|vol))/iu;
const COLLECTION_BEHIND =
  /(?<![\s,(–—-])[\s,(–—-]+(?:l['’]\s?)?(?:int[ée]grale|coffret|omnibus)\)?$/iu;
const WORDS_OF_TOMES =
  /(?<![\p{L}\p{N}])(?:tomes?|volumes?|vols?\.?|n[°º]\.?|t\.?|#)\s*(?=[\dIVX])|[第巻卷冊册]/giu;
const TOME = '\\d{1,4}|[IVX]+';
const LINK = '[-–—/&+]|,(?=\\s)|à|au|et|to|and';
const LIST = new RegExp(`^(?:${TOME})(?:\\s*(?:${LINK})\\s*(?:${TOME}))+$`, 'iu');
const EACH_TOME = new RegExp(`(${TOME})(?:\\s*(${LINK})\\s*)?`, 'giu');

/** « Coffret Thorgal 1-3 »: volumes at the end, after a name. Digits only: « Louis XIV et XV » are kings. */
const TOMES_AT_END =
  /[\s,(–—-]((?:(?:tomes?|volumes?|vols?\.?|t\.?)\s*)?\d{1,3}(?:\s*(?:[-–—/&+]|,(?=\s)|à|et)\s*\d{1,3})+)\)?$/iu;

/**
 * The volumes of a number (docs/rules.md § 19): none for « hors-série », « 1 bis » or « Intégrale 2 », several for «
 * 3-4 », « Intégrale 1-3 », « T1 à T3 » or « 1, 2 et 5 ». The only function that parses ranges.
 */
export function tomesOf(numero: string | null): readonly number[] {
  const written = numeroOf(numero ?? '');
  // « A », « B » and « C » are volumes as well.
  const roman = /[LC]/i.test(written) ? null : readRoman(written);
  const single = /^\d+$/.test(written) ? Number(written) : roman;
  if (single === null) return tomesOfList(readable(written));
  return single <= MAX_TOME ? [single] : [];
}

function tomesOfList(text: string): readonly number[] {
  const inside = COLLECTION.test(text)
    ? text.replace(COLLECTION, '').replace(OWN_NUMERO, '').replace(/\)$/, '')
    : text.replace(COLLECTION_BEHIND, '');
  const list = inside.replace(WORDS_OF_TOMES, '').trim();
  return LIST.test(list) ? readList(list) : [];
}

function tomesOfCollection(line: string): readonly number[] {
  const tomes = tomesOfList(line);
  return tomes.length > 0 ? tomes : tomesOfList(TOMES_AT_END.exec(line)?.[1] ?? '');
}

function readList(list: string): readonly number[] {
  const tomes = new Set<number>();
  let last = 0;
  let isSpan = false;
  for (const [, tome = '', link = ''] of list.matchAll(EACH_TOME)) {
    // « IIII » is no number.
    const value = readRoman(tome) ?? Number(tome);
    const isTome = value <= MAX_TOME && !(isSpan && value < last);
    if (!isTome) return [];
    for (let each = isSpan ? last : value; each <= value; each++) tomes.add(each);
    last = value;
    isSpan = !isAnd(link);
  }
  return [...tomes];
}

/** The value for a book that contains no other volumes. */
export const AUCUN_TOME = 'aucun';

/** Whether a text about the volumes in a book is valid. */
export const areTomes = (text: string): boolean => text === AUCUN_TOME || tomesOf(text).length > 0;

/**
 * The volumes of a place: as entered, else by its number, else those named in the title of an « intégrale » or
 * similar.
 */
export function tomesOfPlace({
  numero,
  titre,
  tomes: said = null,
}: Pick<Place, 'numero' | 'titre'> & Partial<Pick<Place, 'tomes'>>): readonly number[] {
  if (said !== null) return tomesOf(said);
  if (numero !== null) return tomesOf(numero);
  // Most titles need no reading.
  if (!/[\dIVX]/.test(titre)) return [];
  const line = readable(titre);
  const tomes = COLLECTION.test(line)
    ? tomesOfCollection(line)
    : tomesOf(parseTome(line)?.numero ?? null);
  return tomes.length > 1 ? tomes : [];
}

/**
 * The series and volumes of « Astérix 1-4 » or « Akira, tomes 1 à 3 », as typed by a person; `null` for any other
 * text, single numbers included.
 */
export function spanOfTitre(
  text: string,
): { readonly titre: string; readonly tomes: readonly number[] } | null {
  const line = readable(text);
  const found = TOMES_AT_END.exec(line);
  const tomes = tomesOf(found?.[1] ?? null);
  const titre = line.slice(0, found?.index ?? 0).replace(/(?<![\s,;:(–—-])[\s,;:(–—-]+$/u, '');
  return found === null || tomes.length < 2 || titre === '' ? null : { titre, tomes };
}
