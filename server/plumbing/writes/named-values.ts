import type { Row } from '#shared/change-reader';
import type { Detail } from '#shared/details';
import { orderSeen } from '#shared/rayon';
import { textKey } from '#shared/text';
import { parseStored } from '#server/plumbing/common/stored-json';

// The details of a book are one column, but an image of the row has one column per detail, by the
// key of its name, and one for their order: so single details are changed and undone.

const COLUMN = 'details';
const ORDER = `${COLUMN}:`;

/** Whether a column of an image is the order of the details, which is no field. */
export const isOrderOfValues = (name: string): boolean => name === ORDER;

/** The detail in a column of an image; `null` for other columns. */
export function namedValueOf(name: string, value: unknown): Detail | null {
  if (!name.startsWith(ORDER) || name === ORDER || typeof value !== 'string') return null;
  const [nom, valeur] = parseStored<[string, string]>(value);
  return { nom, valeur };
}

/** An image with the details of its row as columns. */
export function withValuesApart(image: Row): Row {
  if (!(COLUMN in image)) return image;
  const { [COLUMN]: text, ...others } = image;
  const details = typeof text === 'string' ? parseStored<Detail[]>(text) : [];
  const values = details.map(({ nom, valeur }): [string, string] => [
    // History keys come from spellings: a label in another language has another key.
    ORDER + textKey(nom),
    JSON.stringify([nom, valeur]),
  ]);
  const order = values.length === 0 ? null : JSON.stringify(values.map(([name]) => name));
  return { ...others, [ORDER]: order, ...Object.fromEntries(values) };
}

/** Two images of a row, each with `null` for details that only the other has. */
export function withSameValues(avant: Row, apres: Row): readonly [Row, Row] {
  if (!(ORDER in avant) && !(ORDER in apres)) return [avant, apres];
  return [withNulls(avant, apres), withNulls(apres, avant)];
}

function withNulls(image: Row, other: Row): Row {
  const lacking = Object.keys(other).filter((name) => name.startsWith(ORDER) && !(name in image));
  return lacking.length === 0
    ? image
    : { ...image, ...Object.fromEntries(lacking.map((name) => [name, null])) };
}

/**
 * The columns to write for an image, with the details in one column again.
 *
 * @param present the present row, whose other details stay
 */
export function withValuesTogether(image: Row, present: () => Row | undefined): Row {
  const names = Object.keys(image).filter((name) => name.startsWith(ORDER));
  if (names.length === 0) return image;
  const row = present() ?? {};
  const values = new Map<string, unknown>();
  for (const one of [row, image])
    for (const [name, value] of Object.entries(one))
      if (name.startsWith(ORDER) && name !== ORDER) values.set(name, value);
  const wanted = orderOf(ORDER in image ? image : row);
  const there = [...new Set([...orderOf(row), ...wanted, ...values.keys()])];
  const details = orderSeen(there, wanted).flatMap(
    (name) => namedValueOf(name, values.get(name)) ?? [],
  );
  return {
    ...Object.fromEntries(Object.entries(image).filter(([name]) => !names.includes(name))),
    [COLUMN]: details.length === 0 ? null : JSON.stringify(details),
  };
}

const orderOf = ({ [ORDER]: text }: Row): string[] =>
  typeof text === 'string' ? parseStored<string[]>(text) : [];
