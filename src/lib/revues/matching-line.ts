import type { Numero } from '#shared/numeros';
import { searchForm } from '#shared/text';

interface LinePart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The longest complete line, and the characters before the match in a longer one. */
const MAX_LENGTH = 90;
const CONTEXT_LENGTH = 24;

/**
 * The matching line of an issue, in parts: of front page, articles, themes and summary the one with the most search
 * words. `null` without a match.
 */
export function matchingLine(numero: Numero, recherche: string): readonly LinePart[] | null {
  const words = searchForm(recherche).split(' ').filter(Boolean);
  let best: { text: string; count: number } | null = null;
  for (const text of linesOf(numero)) {
    const key = searchForm(text);
    const count = words.filter((word) => key.includes(word)).length;
    if (count > (best?.count ?? 0)) best = { text, count };
  }
  return best === null ? null : cut(toParts(best.text, words));
}

const linesOf = ({ une, resume, themes, articles }: Numero): readonly string[] => [
  ...(une ?? '').split(/\n+/u),
  ...articles,
  ...(themes.length > 0 ? [themes.join(', ')] : []),
  ...(resume ?? '').split(/\n+|(?<=[.!?…])\s+/u),
];

/** Whole words are marked: parts are hard to see, and « œ » cannot be split. */
function toParts(text: string, words: readonly string[]): LinePart[] {
  return text
    .split(/([\p{L}\p{M}\p{N}]+)/u)
    .filter((part) => part !== '')
    .map((part) => {
      const key = searchForm(part);
      return { text: part, isMatch: key !== '' && words.some((word) => key.includes(word)) };
    });
}

function cut(parts: readonly LinePart[]): readonly LinePart[] {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  let start = parts.findIndex(({ isMatch }) => isMatch);
  if (length <= MAX_LENGTH || start < 0) return parts;
  for (let shown = 0; start > 0 && shown < CONTEXT_LENGTH; shown += parts[start]?.text.length ?? 0)
    start--;
  return start === 0 ? parts : [{ text: '… ', isMatch: false }, ...parts.slice(start)];
}
