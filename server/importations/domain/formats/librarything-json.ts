import { decodeHTML } from 'entities';
import type { RawRow } from '../row.ts';
import { readingOrder } from '../values.ts';
import { collectionsOf, isOtherRole, publisherOf } from './librarything.ts';

/** One record of LibraryThing's JSON, an object by its number; `null` for what is none. */
export function readLibraryThingRecord(value: unknown): RawRow | null {
  if (!isRecord(value) || !('title' in value)) return null;
  if (!('primaryauthor' in value || 'authors' in value || 'books_id' in value)) return null;
  const secondary = list(value['authors']).flatMap((auteur) => {
    if (!isRecord(auteur) || isOtherRole(text(auteur['role']))) return [];
    return [text(auteur['fl']) || readingOrder(text(auteur['lf']))];
  });
  const primary = readingOrder(text(value['primaryauthor']));
  return {
    titre: text(value['title']),
    auteurs: secondary.length > 0 ? secondary : [primary],
    isbns: [...list(value['isbn']).map(text), text(value['originalisbn'])].sort(
      (a, b) => b.length - a.length,
    ),
    editeur: publisherOf(text(value['publication'])),
    annee: text(value['date']),
    nombrePages: text(value['pages']),
    ...collectionsOf(list(value['collections']).map(text), '', ''),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The values of a list or of an object by number, nested lists taken apart; a text is one value. */
function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flat();
  if (isRecord(value)) return Object.values(value);
  return value === undefined || value === null ? [] : [value];
}

const text = (value: unknown): string =>
  typeof value === 'string'
    ? decodeHTML(value).trim()
    : typeof value === 'number'
      ? `${value}`
      : '';
