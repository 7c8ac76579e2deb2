import { detailKey } from './detail-names.ts';
import { LOCALES } from './locale.ts';

/** Cached by language: each takes a millisecond to create. */
const noms = new Map<string, Intl.DisplayNames>();

function nomsIn(tag: string): Intl.DisplayNames {
  const known = noms.get(tag);
  if (known !== undefined) return known;
  const made = new Intl.DisplayNames(tag, { type: 'language', fallback: 'none' });
  noms.set(tag, made);
  return made;
}

const CODE = /^[a-z]{2,3}(?:-[a-z]{2})?$/i;

/** « fre », « fr » as « français », the stored form; an unknown code is unchanged. */
export function nomOfLangue(text: string): string {
  const code = text.trim();
  return (CODE.test(code) ? nomsIn('fr').of(code) : undefined) ?? code;
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

const codes = new Map<string, ReadonlyMap<string, string>>();

/** « français » as « fr », for languages with a two-letter code. */
function codeOf(nom: string, tag = 'fr'): string | undefined {
  const known =
    codes.get(tag) ??
    new Map(
      LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).flatMap((code): [string, string][] => {
        const named = nomsIn(tag).of(code);
        return named === undefined ? [] : [[named.toLowerCase(), code]];
      }),
    );
  codes.set(tag, known);
  return known.get(nom.toLowerCase());
}

/** The details whose values are languages, by their French names. */
const OF_LANGUES: ReadonlySet<string> = new Set(['Langue', 'Langue originale'].map(detailKey));

export const isLangue = (nom: string): boolean => OF_LANGUES.has(detailKey(nom));

/** Stores languages in French: « anglais » for “English”, also within a list; other texts are unchanged. */
export const storedLangue = (text: string): string =>
  eachLangue(text, (one) => {
    if (codeOf(one) !== undefined) return one;
    const code = LOCALES.map((locale) => codeOf(one, locale)).find((found) => found !== undefined);
    return (code === undefined ? undefined : nomsIn('fr').of(code)) ?? one;
  });

const eachLangue = (text: string, make: (one: string) => string): string =>
  text.split(', ').map(make).join(', ');

/**
 * A stored language, a code or French name, in the reader's language: « fre » and « français » as “French”. Other
 * texts are unchanged.
 *
 * @param tag of the reader's language, `en-GB`
 */
export const langueIn = (tag: string, text: string): string =>
  eachLangue(text, (one) => oneLangueIn(tag, one));

function oneLangueIn(tag: string, text: string): string {
  const nom = nomOfLangue(text);
  if (tag.startsWith('fr')) return nom;
  const code = codeOf(nom) ?? (CODE.test(text.trim()) ? text.trim() : undefined);
  return (code === undefined ? undefined : nomsIn(tag).of(code)) ?? nom;
}
