import { nfc, normaliser, searchForm } from './text.ts';

interface Word {
  /** Normalised. */
  readonly text: string;
  /** Whether the word is only the first letter of a given name. */
  readonly isInitial: boolean;
}

/** A name in reading order: given names, then the family name, whether or not it had a comma. */
export interface NomForm {
  readonly words: readonly Word[];
  /** How many of the last words are the family name: those before a comma, else one. */
  readonly familyLength: number;
  /** Equal for a form and every form that it abbreviates, so that few pairs need comparing. */
  readonly signature: string;
}

/** Cached, since names are compared in pairs. */
const parsed = new Map<string, NomForm>();
const MAX_PARSED = 5000;

/** Parses « Saint-Exupéry, Antoine de » as « Antoine de Saint-Exupéry » (docs/rules.md § 14). */
export function parseNom(nom: string): NomForm {
  const known = parsed.get(nom);
  if (known !== undefined) return known;
  if (parsed.size === MAX_PARSED) parsed.clear();
  const form = readNom(nom);
  parsed.set(nom, form);
  return form;
}

function readNom(nom: string): NomForm {
  const parts = nfc(nom).split(/[,，]/u);
  const [beforeComma = [], given = [], ...others] = parts
    .filter((part) => normaliser(part) !== '')
    .map((part) => parseWords(part.trim(), hasOneCase(nom)));
  const family = [...beforeComma, ...others.flat()];
  const words = [...given, ...family];
  const signature = signatureOf(words);
  if (words.every(({ isInitial }) => isInitial))
    return { words, familyLength: words.length, signature };
  const familyLength = given.length === 0 ? 1 : family.length;
  return { words, familyLength, signature };
}

export const hasInitial = ({ words, familyLength }: NomForm): boolean =>
  words.some(({ isInitial }, index) => isInitial && index < words.length - familyLength);

/**
 * Whether a form abbreviates another: at least one given name is only its initial, and all other words agree in order
 * (docs/rules.md § 14). Transitive and antisymmetric.
 */
export function abbreviates(short: NomForm, long: NomForm): boolean {
  const length = short.words.length;
  if (length !== long.words.length) return false;
  const givenLength = length - Math.max(short.familyLength, long.familyLength);
  let isShorter = false;
  for (const [index, { text, isInitial }] of short.words.entries()) {
    const other = long.words[index];
    if (other === undefined) return false;
    if (other.text === text) continue;
    if (index >= givenLength || !isInitial || !other.text.startsWith(text)) return false;
    isShorter = true;
  }
  return isShorter;
}

function signatureOf(words: readonly Word[]): string {
  const firstLetters = words.map(({ text }) => String.fromCodePoint(text.codePointAt(0) ?? 0));
  return [...firstLetters, words.at(-1)?.text ?? ''].join(' ');
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const SINGLE_LETTER = /^\p{L}\p{M}*$/u;
const APOSTROPHE = /['’‘ʼ`´]/u;
/** Joining words of one letter: « Ortega y Gasset », « Puig i Cadafalch ». */
const JOINING_WORD = /^[deily]$/u;

function parseWords(part: string, oneCase: boolean): Word[] {
  return [...part.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const before = part[index - 1] ?? '';
    const after = part[index + word.length] ?? '';
    const isInitial =
      SINGLE_LETTER.test(word) &&
      !APOSTROPHE.test(before) &&
      !APOSTROPHE.test(after) &&
      (after === '.' || isInitialWithoutPoint(word, oneCase, index));
    const texts = searchForm(word).split(' ');
    return texts.map((text) => ({ text, isInitial: isInitial && texts.length === 1 }));
  });
}

/**
 * A capital in a name of mixed case is an initial; in a name of one case, any letter that is no joining word. In a
 * script without case one character may be a whole name.
 */
function isInitialWithoutPoint(letter: string, oneCase: boolean, index: number): boolean {
  if (letter.toLowerCase() === letter.toUpperCase()) return false;
  if (!oneCase) return letter === letter.toUpperCase();
  return index === 0 || !JOINING_WORD.test(letter.toLowerCase());
}

const hasOneCase = (nom: string) => nom === nom.toUpperCase() || nom === nom.toLowerCase();
