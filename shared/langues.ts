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

let codes: ReadonlyMap<string, string> | null = null;

/** « français » as « fr »: those with a code of two letters. */
function codeOf(nom: string): string | undefined {
  codes ??= new Map(
    LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).flatMap((code): [string, string][] => {
      const known = nomsIn('fr').of(code);
      return known === undefined ? [] : [[known, code]];
    }),
  );
  return codes.get(nom.toLowerCase());
}

/**
 * A language as a record keeps it, a code or its French name, in the reader's own: « fre » and « français » as “French”. As
 * it stands where it is neither.
 *
 * @param tag of the reader's language, `en-GB`
 */
export function langueIn(tag: string, text: string): string {
  const nom = nomOfLangue(text);
  if (tag.startsWith('fr')) return nom;
  const code = codeOf(nom) ?? (CODE.test(text.trim()) ? text.trim() : undefined);
  return (code === undefined ? undefined : nomsIn(tag).of(code)) ?? nom;
}
