import { decodeHTML } from 'entities';
import { readingOrder } from '../values.ts';
import { isOtherRole } from './quirks.ts';
import type { Cell } from './table-format.ts';

/** The headers of its cells that a table would have too. */
export const LIBRARYTHING_HEADERS = ['title', 'date', 'page count'];

/** One record of LibraryThing's JSON, an object by its number, as a row of its table; `null` for none. */
export function libraryThingCells(value: unknown): Cell | null {
  if (!isRecord(value) || !('title' in value)) return null;
  if (!('primaryauthor' in value || 'authors' in value || 'books_id' in value)) return null;
  // The primary author stands among these.
  const auteurs = list(value['authors'])
    .filter(isRecord)
    .filter(({ role }) => !isOtherRole(text(role)))
    // A comma that is left would have the name turned round.
    .map(({ fl, lf }) => (text(fl) || readingOrder(text(lf))).replaceAll(',', ''));
  const cells: Readonly<Record<string, string>> = {
    title: text(value['title']),
    'primary author': auteurs.length > 0 ? '' : text(value['primaryauthor']),
    'secondary author': auteurs.join('|'),
    isbns: [...list(value['isbn']), value['originalisbn']].map(text).join(','),
    publication: text(value['publication']),
    date: text(value['date']),
    'page count': text(value['pages']),
    collections: list(value['collections']).map(text).join(','),
    rating: text(value['rating']),
    review: text(value['review']),
    // cspell:disable-next-line -- keys of its JSON
    'date started': text(value['datestarted']),
    // cspell:disable-next-line -- keys of its JSON
    'date read': text(value['dateread']),
    // What the household does not keep, which is told.
    tags: list(value['tags']).map(text).join(','),
    'entry date': text(value['entrydate']),
  };
  return (header) => cells[header] ?? '';
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The values of a list or of an object by number, nested lists taken apart; a text is one value. */
function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flat();
  if (isRecord(value)) return Object.values(value);
  return value === undefined || value === null ? [] : [value];
}

function text(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? decodeHTML(value).trim() : '';
}
