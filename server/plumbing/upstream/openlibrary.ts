import { MAX_LENGTHS } from '#shared/fields';
import { parseIsbn } from '#shared/isbn';
import { nomOfLangue } from '#shared/langues';
import { MAX_NOMBRE_PAGES } from '#shared/livres';
import { MAX_CANDIDATS_BY_TITRE } from '#shared/recherche';
import { parseForeign } from '#server/plumbing/common/json';
import type { QueueOwner } from './queue.ts';
import { SourceUnreachable, detailsOf, type Source, type SourceRecord } from './sources.ts';
import { inReadingOrder, uniqueNoms } from './noms.ts';
import { parseAnnee, parseNombrePages, truncate } from './texts.ts';

type Document = Readonly<Record<string, unknown>>;

const KEY = /^\/(?:books|works|authors)\/OL\d{1,12}[AMW]$/u;
const MAX_MERGES = 5;

const isKey = (value: unknown): value is string => typeof value === 'string' && KEY.test(value);

/**
 * The record at a path, `null` if it is missing or deleted. A merged record answers 200 with its successor's key;
 * such chains are followed up to five times. Throws `SourceUnreachable` on no or an unreadable response.
 */
async function readDocument(
  source: Source,
  path: string,
  caller: QueueOwner,
): Promise<Document | null> {
  let next = path;
  for (let merges = 0; merges <= MAX_MERGES; merges++) {
    const document = await readJson(source, `${next}.json`, {}, caller);
    const type = toObject(document?.['type'])['key'];
    if (document === null || type === '/type/delete') return null;
    if (type !== '/type/redirect') return document;
    if (!isKey(document['location'])) throw new SourceUnreachable('A record merged into nothing');
    next = document['location'];
  }
  throw new SourceUnreachable('Records merged in a circle');
}

/**
 * `null` if there is no record.
 *
 * @param query parameters that are `null` are left out
 */
async function readJson(
  source: Source,
  path: string,
  query: Readonly<Record<string, string | number | null>>,
  caller: QueueOwner,
): Promise<Document | null> {
  // The configured site may include a path.
  const url = new URL(source.base.href.replace(/\/$/u, '') + path);
  for (const [name, value] of Object.entries(query))
    if (value !== null) url.searchParams.set(name, String(value));
  const text = await source.read(url, caller);
  if (text === null) return null;
  const value = parseForeign(text);
  if (isObject(value)) return value;
  throw new SourceUnreachable('No record of Open Library');
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toObject = (value: unknown): Document => (isObject(value) ? value : {});

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

function workKeyOf(document: Document | null): string | null {
  const { key } = toObject(toArray(document?.['works'])[0]);
  return isKey(key) ? key : null;
}

const toTexts = (value: unknown): string[] =>
  toArray(value).filter((element) => typeof element === 'string');

function parseEdition(edition: Document, auteurs: readonly string[]): SourceRecord | null {
  const titre = fullTitre(edition);
  if (titre === null) return null;
  return {
    id: toText(edition['key']) || null,
    titre,
    auteurs,
    editeur: truncate(toTexts(edition['publishers'])[0] ?? '', MAX_LENGTHS.nom),
    annee: parseAnnee(toText(edition['publish_date'])),
    nombrePages: nombrePagesOf(edition),
    isbns: isbnsOf(edition),
    details: detailsOf({
      Langue: languesOf(edition),
      'Titre original': [toText(edition['translation_of'])],
      Traduction: translatorsOf(edition),
      Collection: toTexts(edition['series']),
      Résumé: [toText(edition['description']) || toText(toObject(edition['description'])['value'])],
    }),
  };
}

/** « /languages/fre ». */
const languesOf = (edition: Document): string[] =>
  toArray(edition['languages']).flatMap((each) => {
    const code = /^\/languages\/([a-z]{3})$/u.exec(toText(toObject(each)['key']))?.[1];
    return code === undefined ? [] : nomOfLangue(code);
  });

const translatorsOf = (edition: Document): string[] =>
  toArray(edition['contributors']).flatMap((each) => {
    const { role, name } = toObject(each);
    // cspell:disable-next-line
    return /^(?:translat|traduct)/iu.test(toText(role)) ? parseNom(toText(name)) : [];
  });

/** The title and the subtitle, joined as by the BnF. */
function fullTitre(document: Document): string | null {
  const parts = [document['title'], document['subtitle']];
  const given = parts.flatMap((part) => truncate(toText(part), MAX_LENGTHS.titre) ?? []);
  return truncate(given.join(' : '), MAX_LENGTHS.titre);
}

function isbnsOf(edition: Document): string[] {
  const codes = [...toTexts(edition['isbn_13']), ...toTexts(edition['isbn_10'])];
  return [...new Set(codes.flatMap((code) => parseIsbn(code) ?? []))];
}

/** `number_of_pages` counts all pages; `pagination` may count only the numbered ones. */
function nombrePagesOf(edition: Document): number | null {
  const count = edition['number_of_pages'];
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 1;
  if (isCount && count <= MAX_NOMBRE_PAGES) return count;
  return parseNombrePages(toText(edition['pagination']));
}

/** An edition with more people is a conference or a mistake. */
const MAX_AUTEURS = 12;

interface NomsOfRecords {
  readonly noms: readonly string[];
  /** False where the source stopped answering before all were read. */
  readonly isComplete: boolean;
}

async function readAuteurs(
  source: Source,
  edition: Document,
  caller: QueueOwner,
): Promise<NomsOfRecords> {
  try {
    const own = auteurKeys(edition);
    return await readNoms(source, own.length > 0 ? own : await keysOfWork(), caller);
  } catch (error) {
    if (!(error instanceof SourceUnreachable)) throw error;
    return { noms: [], isComplete: false };
  }

  async function keysOfWork(): Promise<string[]> {
    const key = workKeyOf(edition);
    const work = key === null ? null : await readDocument(source, key, caller);
    return work === null ? [] : auteurKeys(work);
  }
}

/** Editions have `authors[].key`, works `authors[].author.key`. */
function auteurKeys(document: Document): string[] {
  const keys = toArray(document['authors']).map((element) => {
    const auteur = toObject(element);
    return auteur['key'] ?? toObject(auteur['author'])['key'];
  });
  return [...new Set(keys.filter(isKey))].slice(0, MAX_AUTEURS);
}

async function readNoms(
  source: Source,
  keys: readonly string[],
  caller: QueueOwner,
): Promise<NomsOfRecords> {
  const read = await Promise.allSettled(keys.map((key) => readDocument(source, key, caller)));
  const noms = read.flatMap((one) =>
    one.status === 'fulfilled' ? parseNom(toText(one.value?.['name'])) : [],
  );
  return { noms: uniqueNoms(noms), isComplete: read.every(({ status }) => status === 'fulfilled') };
}

function parseNom(text: string): string[] {
  const nom = truncate(text, MAX_LENGTHS.nom);
  return nom === null ? [] : [inReadingOrder(nom)];
}

interface EditionAnswer {
  readonly record: SourceRecord | null;
  readonly isComplete: boolean;
}

const NOTHING: EditionAnswer = { record: null, isComplete: true };

/**
 * The edition of an ISBN, with its authors or its work's. An edition with other ISBNs only is ignored; one without
 * any is accepted. Throws `SourceUnreachable`.
 */
export async function editionByIsbn(
  openLibrary: Source,
  isbn13: string,
  caller: QueueOwner,
): Promise<EditionAnswer> {
  const edition = await readDocument(openLibrary, `/isbn/${isbn13}`, caller);
  if (edition === null || fullTitre(edition) === null) return NOTHING;
  const isbns = isbnsOf(edition);
  if (isbns.length > 0 && !isbns.includes(isbn13)) return NOTHING;
  const { noms, isComplete } = await readAuteurs(openLibrary, edition, caller);
  return { record: parseEdition(edition, noms), isComplete };
}

/** Works have the year of their first edition, no publisher and no page count. Throws `SourceUnreachable`. */
export async function worksByTitre(
  openLibrary: Source,
  titre: string,
  auteur: string | null,
  caller: QueueOwner,
): Promise<SourceRecord[]> {
  const fields = 'key,title,subtitle,author_name,first_publish_year,isbn';
  const query = { title: titre, author: auteur, fields, limit: MAX_CANDIDATS_BY_TITRE };
  const response = await readJson(openLibrary, '/search.json', query, caller);
  return toArray(response?.['docs']).flatMap((work) => parseWork(work) ?? []);
}

function parseWork(value: unknown): SourceRecord | null {
  const work = toObject(value);
  const titre = fullTitre(work);
  if (titre === null) return null;
  return {
    id: truncate(toText(work['key']), MAX_LENGTHS.code),
    titre,
    auteurs: uniqueNoms(toTexts(work['author_name']).flatMap(parseNom)),
    editeur: null,
    annee: toAnnee(work['first_publish_year']),
    nombrePages: null,
    isbns: toTexts(work['isbn']).flatMap((code) => parseIsbn(code) ?? []),
    details: [],
  };
}

const toAnnee = (value: unknown): number | null =>
  Number.isInteger(value) && Math.abs(Number(value)) <= 3000 ? Number(value) : null;

/** How many editions of a work are searched for covers. */
const MAX_EDITIONS = 50;

/** Cover numbers of the ISBN's edition, then of the work's other editions. Throws `SourceUnreachable`. */
export async function coverNumbersByIsbn(
  openLibrary: Source,
  isbn13: string,
  caller: QueueOwner,
): Promise<number[]> {
  const edition = await readDocument(openLibrary, `/isbn/${isbn13}`, caller);
  const work = workKeyOf(edition);
  return unique([
    ...numbersOf(edition),
    ...(work === null ? [] : await coverNumbersOfWork(openLibrary, work, caller)),
  ]);
}

/** Cover numbers of the first work whose title has these words. Throws `SourceUnreachable`. */
export async function coverNumbersByTitre(
  openLibrary: Source,
  titre: string,
  auteur: string | null,
  caller: QueueOwner,
): Promise<number[]> {
  const query = { title: titre, author: auteur, fields: 'key', limit: 1 };
  const found = await readJson(openLibrary, '/search.json', query, caller);
  const work = toObject(toArray(found?.['docs'])[0])['key'];
  return isKey(work) ? coverNumbersOfWork(openLibrary, work, caller) : [];
}

async function coverNumbersOfWork(
  openLibrary: Source,
  work: string,
  caller: QueueOwner,
): Promise<number[]> {
  const path = `${work}/editions.json`;
  const editions = await readJson(openLibrary, path, { limit: MAX_EDITIONS }, caller);
  return unique(toArray(editions?.['entries']).flatMap((entry) => numbersOf(toObject(entry))));
}

/** The site writes -1 for an edition without a cover. */
const numbersOf = (document: Document | null): number[] =>
  toArray(document?.['covers']).filter(
    (number): number is number => Number.isSafeInteger(number) && Number(number) > 0,
  );

const unique = (numbers: readonly number[]): number[] => [...new Set(numbers)];
