// The default import: the named ones pass the type check and fail at run time.
import isbn3 from 'isbn3';

/**
 * An ISBN-13 with its hyphens: all of them in the French-language groups (978-2, 979-10), at group and check digit
 * elsewhere, none in an unassigned range (docs/rules.md § 7). Expects what `parseIsbn` returned; about 2 µs. The table
 * of ranges weighs 12 kB: what only reads codes does without it.
 */
export function formatIsbn(isbn13: string): string {
  const parts = isbn3.parse(isbn13);
  if (parts === null) return isbn13;
  const { prefix, group, publisher, article, check } = parts;
  const isFrench = `${prefix}-${group}` === '978-2' || `${prefix}-${group}` === '979-10';
  const middle = isFrench ? `${publisher}-${article}` : `${publisher}${article}`;
  return `${prefix}-${group}-${middle}-${check}`;
}
