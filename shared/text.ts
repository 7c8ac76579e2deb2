/**
 * A text on one line: line breaks and control characters become one blank, with the blanks beside them (docs/rules.md
 * § 3). Other blanks are unchanged.
 */
export const oneLine = (text: string): string =>
  text.replace(/[\s\p{Cc}]+/gu, (run) => (BREAK.test(run) ? ' ' : run));

const BREAK = /[\p{Cc}\u2028\u2029]/u;

/**
 * Normalises to a Unicode form in linear time: ordering a run of combining marks is quadratic, so that U+034F is
 * inserted every 30 marks, as in Unicode's stream-safe form (UAX 15). No language has so many; a second normalisation
 * changes nothing. Every normalisation calls this function.
 */
export const inForm = (form: 'NFC' | 'NFD' | 'NFKD', text: string): string =>
  (MAYBE_LONG_RUN.test(text) ? text.replace(LONG_RUN, '$&\u034F') : text).normalize(form);

/** Marks begin at U+0300: one quick test excludes most texts. */
const MAYBE_LONG_RUN = /[^\0-\u02ff]{31}/;
const LONG_RUN = /(?:(?!\u034F)\p{M}){30}(?=(?!\u034F)\p{M})/gu;

/** Replaces digits, brackets and signs of East Asian width by ASCII, one for one. */
export const halfWidth = (text: string): string =>
  text.replace(/[\uff03-\uff1a]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));

/** The form in which texts are stored. */
export const nfc = (text: string): string => inForm('NFC', text);

/** A one-line text as it is stored (docs/rules.md § 3). */
export const storedLine = (text: string): string => nfc(oneLine(text).trim());

/**
 * The normalised form of a text: without accents, case or punctuation, words separated by one blank (docs/rules.md §
 * 4). '' without a letter or digit. The result is decomposed Unicode, so that a Korean syllable becomes several
 * letters.
 */
export function normaliser(text: string): string {
  if (ASCII.test(text)) return joinWords(text.toLowerCase(), /[^a-z0-9]+/g);
  const lowerCase = withoutMarks(text)
    .toLowerCase()
    .replace(/œ/g, 'oe')
    .replace(/æ/g, 'ae')
    .replace(/ß/g, 'ss');
  return joinWords(lowerCase, /[^\p{L}\p{N}]+/gu);
}

/** Most names and many titles; the Unicode classes are ten times slower when a device starts. */
const ASCII = /^[\0-\x7f]*$/;

const joinWords = (text: string, separators: RegExp) => text.replace(separators, ' ').trim();

const withoutMarks = (text: string) => inForm('NFKD', text).replace(/\p{M}+/gu, '');

/**
 * Letters that Unicode does not decompose, in the spelling of people with another keyboard, and similar Azerbaijani
 * and African ones.
 */
const UNDIVIDED: Readonly<Record<string, string>> = {
  đ: 'd',
  ð: 'd',
  ɖ: 'd',
  ɗ: 'd',
  ø: 'o',
  ɔ: 'o',
  ɵ: 'o',
  ł: 'l',
  ƚ: 'l',
  ɫ: 'l',
  ı: 'i',
  ɨ: 'i',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ɲ: 'n',
  ƀ: 'b',
  ɓ: 'b',
  ƈ: 'c',
  ȼ: 'c',
  ǥ: 'g',
  ɠ: 'g',
  ɇ: 'e',
  ə: 'e',
  ǝ: 'e',
  ɛ: 'e',
  ƙ: 'k',
  ĸ: 'k',
  ƥ: 'p',
  ɍ: 'r',
  ƭ: 't',
  ʉ: 'u',
  ʋ: 'v',
  ɏ: 'y',
  ƴ: 'y',
  ƶ: 'z',
  ȥ: 'z',
  ƒ: 'f',
};
const UNDIVIDED_LETTERS = new RegExp(`[${Object.keys(UNDIVIDED).join('')}]`, 'g');

/**
 * A normalised text with plain letters for those without a decomposition: « đất rừng » is « dat rung », « łodz » is « lodz »
 * (docs/rules.md § 4).
 */
export const plainLetters = (normalised: string): string =>
  normalised.replace(UNDIVIDED_LETTERS, (letter) => UNDIVIDED[letter] ?? letter);

/** A text as searches and keys compare it: normalised, with plain letters. */
export const searchForm = (text: string): string => plainLetters(normaliser(text));

/** Matches texts with each word of the search (docs/rules.md § 6); a search without a letter or digit matches all. */
export function wordMatcher(recherche: string): (normalised: string) => boolean {
  const words = searchForm(recherche).split(' ');
  return (normalised) => {
    const text = plainLetters(normalised);
    return words.every((word) => text.includes(word));
  };
}

/** Articles that sorting ignores, and that lists write after a title; « l’ » is handled separately. */
export const ARTICLES = 'le|la|les|un|une|des|the|an|a|el|los|las|il|der|das';
export const ELIDED_ARTICLE = "l['’ʼ‘`´]";

const ONE_ARTICLE = `\\s{0,3}(${ELIDED_ARTICLE}|${ARTICLES})`;

/** « (Le) », « , Le » where the title ends, up to a subtitle, a responsibility or the number of a volume. */
const ARTICLE_BEHIND = new RegExp(
  `[([]${ONE_ARTICLE}\\s{0,3}[)\\]](?=\\s*(?:$|[,;:./=–—-]|[([#])|\\s+(?:tome|t\\.?|vol\\.?)\\s*\\d)` +
    `|,${ONE_ARTICLE}(?=\\s*$|\\s+(?:[:/;=–—-]\\s|[([])|\\s*,\\s*(?:tome|t\\.?|vol\\.?)\\s*\\d)`,
  'iu',
);

/**
 * Moves a trailing article to the front: « Petit Quai (Le) », « Petit Quai, Le » is « Le Petit Quai » (docs/rules.md
 * § 5). Other texts are unchanged.
 */
export function articleInFront(titre: string): string {
  const found = ARTICLE_BEHIND.exec(titre);
  if (found === null) return titre;
  const before = titre.slice(0, found.index).trimEnd();
  if (!/[\p{L}\p{N}]/u.test(before)) return titre;
  const article = found[1] ?? found[2] ?? '';
  const first = /^\p{Lu}/u.test(before) ? article.charAt(0).toUpperCase() : article.charAt(0);
  const link = /\p{L}$/u.test(article) ? ' ' : '';
  return first + article.slice(1) + link + before + titre.slice(found.index + found[0].length);
}

/** The start of a subtitle or responsibility: signs between blanks, brackets after a blank. */
const MARK = /(?<=\p{White_Space})(?:[:/;=–—](?=\p{White_Space})|[([])/gu;

const TOME_WORD = '(?:tomes?|volumes?|vols?\\.?|t\\.?|n[°o]\\.?|livres?|#)';
const ROMAN = '(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})';
const ORDINAL = 'premiere?|seconde?|\\p{L}+ieme';
const SPAN = '\\d{1,3}\\s*(?:[-–—]|a|et)\\s*\\d{1,3}';
/** The end of a number without its word: the end of the text, a bracket or the next separator. */
const END = '\\s*(?:$|[)\\][(]|[:/;=–—]\\s)';

/**
 * A volume number after a separator, in a text without accents: a number after its word (`tome 12`, `T3`, `t. II`,
 * `livre premier`, `#1-3`, `intégrale 1-3`, `第3巻`), or a number of at most three digits or a range of such, alone up
 * to the next separator or bracket, or with a point or comma (`5`, `12. Le défi`, `IV`, `1-3`). Years, ranges of
 * years and numbers at the start of a sentence are subtitles.
 */
const TOME_NUMERO = new RegExp(
  `^[\\s([]*(?:${TOME_WORD}\\s*\\d` +
    `|${TOME_WORD}(?:\\s+|(?<=[.°]))(?:${ROMAN}|${ORDINAL})(?![\\p{L}\\p{N}])` +
    `|\\d{1,3}[.,](?!\\d)` +
    `|(?:\\d{1,3}|${ROMAN}|${SPAN})${END}` +
    `|(?:第\\s*)?\\d{1,3}\\s*[巻卷冊册]` +
    `|(?:l['’]\\s?)?integrale[\\s,.:]*(?:${TOME_WORD}\\s*)?${SPAN}${END})`,
  'iu',
);

/**
 * The key of a work: the title up to its subtitle or responsibility, normalised for searches, so that editions of a
 * work share it and volumes of a series differ (docs/rules.md § 5). A prefix of `searchForm(articleInFront(titre))`
 * that ends at a word; empty only if the title normalises to nothing.
 */
export function cleOeuvre(titre: string): string {
  const bare = withoutMarks(articleInFront(titre));
  for (const { index } of bare.matchAll(MARK)) {
    if (TOME_NUMERO.test(bare.slice(index + 1))) continue;
    return searchForm(bare.slice(0, index)) || searchForm(bare);
  }
  return searchForm(bare);
}

/** The key of a text that must be unique: as searches compare it, or the text itself where that is empty. */
export const textKey = (text: string): string => searchForm(text) || text;

/** The key of a title that must be unique: its work key, or the title itself where that is empty. */
export const titreKey = (titre: string): string => cleOeuvre(titre) || titre;

/**
 * The grouping key of an author's name: its normalised words, sorted by code point, so that « Hugo, Victor » equals «
 * Victor Hugo » (docs/rules.md § 13). A name without a letter or digit is its own key.
 */
export function cleRegroupement(nom: string): string {
  const form = searchForm(nom);
  if (form === '') return nom.trim();
  return form.split(' ').sort(compareText).join(' ');
}

/** By code point, for well-formed texts; JavaScript's `<` compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointOrder(x) - codePointOrder(y);
  }
  return a.length - b.length;
}

/** Puts surrogates, which encode the highest code points, above all other units. */
const codePointOrder = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

export const partsOf = (text: string, separator: string | RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The beginning of a text in UTF-16 units; surrogate pairs are not split. */
export const beginningOf = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

/** Whether a text has more code points than a field's limit. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || Array.from(text).length > most);

/** The beginning of a text, of at most so many characters. */
export const firstCharacters = (text: string, most: number): string =>
  text.length <= most
    ? text
    : Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join('')
        .replace(/[\ud800-\udbff]$/, '');

/** Truncates to so many UTF-16 units; a longer text ends in « … ». */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${beginningOf(text, most - 1).trimEnd()}…` : text;

/** « 9 586 », with a narrow no-break space. */
export const formatCount = (count: number): string => count.toLocaleString('fr');
