import { MAX_NOMBRE_PAGES } from '#shared/livres';

const RANGE = /\d\s*[-\u2010-\u2015]\s*\d/u;
const BRACKETS = /[([]([^()[\]]*)[)\]]/gu;

/** Longer descriptions say no more of the pages, and bound the work on a hostile one. */
const MAX_LENGTH_READ = 500;

/** In the place of a bracket whose content stays: neither a digit nor a blank. */
const EDGE = '|';

/**
 * The page count in a catalogue's description: the largest whole number directly followed by `p.`,
 * `page` or `pages`, outside brackets that hold a range, and before any ` + `, where accompanying
 * material begins (docs/rules.md § 25). `null` where there is none: leaves (`f.`), volumes and
 * centimetres are no pages.
 */
export function parseNombrePages(description: string): number | null {
  const book = withoutRanges(description.slice(0, MAX_LENGTH_READ).split(/\s\+\s/u)[0] ?? '');
  const counts = Array.from(
    book.matchAll(/(?<!\d|\d[.,])(\d+)\s*(?:p\.|pages?\b)/giu),
    ([, digits]) => Number(digits),
  );
  const nombrePages = Math.max(0, ...counts);
  return nombrePages >= 1 && nombrePages <= MAX_NOMBRE_PAGES ? nombrePages : null;
}

/** Removes the brackets that hold a range, the inner ones first. */
function withoutRanges(text: string): string {
  const next = text.replace(BRACKETS, (_, content: string) =>
    RANGE.test(content) ? EDGE : EDGE + content + EDGE,
  );
  return next === text ? text : withoutRanges(next);
}
