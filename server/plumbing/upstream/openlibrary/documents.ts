import { SourceUnreachable } from '#server/plumbing/upstream/answers';
import type { Asker } from '#server/plumbing/upstream/queue';
import type { Source } from '#server/plumbing/upstream/source';

/** A record of Open Library: a JSON object of unknown shape. */
export type Document = Readonly<Record<string, unknown>>;

const KEY = /^\/(?:books|works|authors)\/OL\d{1,12}[AMW]$/u;
const MAX_MERGES = 5;

/** True for the key under which a record names another. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && KEY.test(value);

/**
 * The record at a path of the site, `null` where there is none or it was deleted. A merged record
 * answers 200 with its successor's key, in chains: they are followed, up to five. Throws
 * `SourceUnreachable` when the source does not answer or makes no sense.
 */
export async function readDocument(
  source: Source,
  path: string,
  asker: Asker,
): Promise<Document | null> {
  let next = path;
  for (let merges = 0; merges <= MAX_MERGES; merges++) {
    const document = await readJson(source, `${next}.json`, {}, asker);
    const type = toObject(document?.['type'])['key'];
    if (document === null || type === '/type/delete') return null;
    if (type !== '/type/redirect') return document;
    if (!isKey(document['location'])) throw new SourceUnreachable('A record merged into nothing');
    next = document['location'];
  }
  throw new SourceUnreachable('Records merged in a circle');
}

/**
 * The JSON object at a path of the site, `null` where there is none.
 *
 * @param query what is left `null` is not asked for
 */
export async function readJson(
  source: Source,
  path: string,
  query: Readonly<Record<string, string | number | null>>,
  asker: Asker,
): Promise<Document | null> {
  // Below whatever path the site's setting has.
  const url = new URL(source.base.href.replace(/\/$/u, '') + path);
  for (const [name, value] of Object.entries(query))
    if (value !== null) url.searchParams.set(name, String(value));
  const text = await source.read(url, asker);
  if (text === null) return null;
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new SourceUnreachable('No record of Open Library');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toObject = (value: unknown): Document => (isObject(value) ? value : {});

export const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The key of the first work that a record names; `null` where it names none. */
export function workKeyOf(document: Document | null): string | null {
  const { key } = toObject(toArray(document?.['works'])[0]);
  return isKey(key) ? key : null;
}

export const toTexts = (value: unknown): string[] =>
  toArray(value).filter((element) => typeof element === 'string');
