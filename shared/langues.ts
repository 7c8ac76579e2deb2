import { detailKey } from './detail-names.ts';
import { LOCALES } from './locale.ts';

/** The names of languages, by the language that tells them: each takes a millisecond to make. */
const noms = new Map<string, Intl.DisplayNames>();

function nomsIn(tag: string): Intl.DisplayNames {
  const known = noms.get(tag);
  if (known !== undefined) return known;
  const made = new Intl.DisplayNames(tag, { type: 'language', fallback: 'none' });
  noms.set(tag, made);
  return made;
}

const CODE = /^[a-z]{2,3}(?:-[a-z]{2})?$/i;

/** « fre », « fr » as « français », which the record of a book keeps; as it stands where it is no code that is known. */
export function nomOfLangue(text: string): string {
  const code = text.trim();
  return (CODE.test(code) ? nomsIn('fr').of(code) : undefined) ?? code;
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

const codes = new Map<string, ReadonlyMap<string, string>>();

/** « français » as « fr »: those with a code of two letters. */
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

/** French names of the details whose values are languages. */
const OF_LANGUES: ReadonlySet<string> = new Set(['Langue', 'Langue originale'].map(detailKey));

export const isLangue = (nom: string): boolean => OF_LANGUES.has(detailKey(nom));

/** The stored names of languages: « anglais » for “English”, also within a list; any other text as it is. */
export const storedLangue = (text: string): string =>
  eachLangue(text, (one) => {
    if (codeOf(one) !== undefined) return one;
    const code = LOCALES.map((locale) => codeOf(one, locale)).find((found) => found !== undefined);
    return (code === undefined ? undefined : nomsIn('fr').of(code)) ?? one;
  });

const eachLangue = (text: string, make: (one: string) => string): string =>
  text.split(', ').map(make).join(', ');

/**
 * A language as a record keeps it, a code or its French name, in the reader's own: « fre » and « français » as “French”. As
 * it stands where it is neither.
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
