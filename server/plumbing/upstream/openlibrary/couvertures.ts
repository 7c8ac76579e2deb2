import type { Asker } from '#server/plumbing/upstream/queue';
import type { Source } from '#server/plumbing/upstream/source';
import {
  isKey,
  readDocument,
  readJson,
  toArray,
  toObject,
  workKeyOf,
  type Document,
} from './documents.ts';

/** Editions of a work that are looked at for their covers. */
const MAX_EDITIONS = 50;

/**
 * The numbers of the covers that the site has for an ISBN, its edition's first, then those of the
 * work's other editions. Throws `SourceUnreachable`.
 */
export async function coverNumbersByIsbn(
  openLibrary: Source,
  isbn13: string,
  asker: Asker,
): Promise<number[]> {
  const edition = await readDocument(openLibrary, `/isbn/${isbn13}`, asker);
  const work = workKeyOf(edition);
  return unique([
    ...numbersOf(edition),
    ...(work === null ? [] : await coverNumbersOfWork(openLibrary, work, asker)),
  ]);
}

/** The same for the first work whose title has these words. Throws `SourceUnreachable`. */
export async function coverNumbersByTitre(
  openLibrary: Source,
  titre: string,
  auteur: string | null,
  asker: Asker,
): Promise<number[]> {
  const query = { title: titre, author: auteur, fields: 'key', limit: 1 };
  const found = await readJson(openLibrary, '/search.json', query, asker);
  const work = toObject(toArray(found?.['docs'])[0])['key'];
  return isKey(work) ? coverNumbersOfWork(openLibrary, work, asker) : [];
}

async function coverNumbersOfWork(
  openLibrary: Source,
  work: string,
  asker: Asker,
): Promise<number[]> {
  const path = `${work}/editions.json`;
  const editions = await readJson(openLibrary, path, { limit: MAX_EDITIONS }, asker);
  return unique(toArray(editions?.['entries']).flatMap((entry) => numbersOf(toObject(entry))));
}

/** The site writes -1 where an edition has no cover. */
const numbersOf = (document: Document | null): number[] =>
  toArray(document?.['covers']).filter(
    (number): number is number => Number.isSafeInteger(number) && Number(number) > 0,
  );

const unique = (numbers: readonly number[]): number[] => [...new Set(numbers)];
