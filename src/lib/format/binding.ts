import { nfc, normaliser } from '#shared/text';

/** The number of bindings among the design tokens (`--binding-0` to `--binding-7`). */
const BINDINGS = 8;

/** Articles and small words, which make no initial. */
const SMALL_WORDS = new Set(
  'le la les l un une des du de d et ou à au aux en the a an der die das el los las il lo gli'.split(
    ' ',
  ),
);

/** One or two initials of a title without its small words: HC for « La Horde du Contrevent ». */
export function initials(titre: string): string {
  const words = titre.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const meaningful = words.filter((word) => !SMALL_WORDS.has(word.toLocaleLowerCase('fr')));
  const chosen = (meaningful.length > 0 ? meaningful : words).slice(0, 2);
  return chosen.map(firstLetter).join('') || '·';
}

/** The binding of a title, always the same one: 0 to 7. */
export function bindingOf(titre: string): number {
  let hash = 0;
  for (const char of normaliser(titre)) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return hash % BINDINGS;
}

const firstLetter = (word: string): string =>
  (nfc(word).match(/^.\p{M}*/u)?.[0] ?? '').toLocaleUpperCase('fr');
