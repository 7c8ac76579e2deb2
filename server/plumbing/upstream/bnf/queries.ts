import { isbn10Of } from '#shared/isbn';
import type { Asker } from '../queue.ts';
import { SourceUnreachable, type Source } from '../source.ts';
import { parseRecord, type BnfRecord } from './record.ts';
import { parseSru } from './sru.ts';

/** All the words of a text, in any order, in the catalogue's index of that name. */
type Criterion = readonly [index: 'isbn' | 'issn' | 'title' | 'author', text: string];

/**
 * The words of a text as a quoted CQL term, `null` when it has none. A quote and a backslash could
 * end the term, `*`, `?` and `^` are wildcards: they become blanks, since no search needs them and
 * the source documents no escape.
 */
export function quoteTerm(text: string): string | null {
  const words = text.replace(/["\\*?^\s\p{Cc}]+/gu, ' ').trim();
  return /[\p{L}\p{N}]/u.test(words) ? `"${words}"` : null;
}

/** The CQL query of all the criteria together; `null` when one of them has no word. */
export function toCql(criteria: readonly Criterion[]): string | null {
  const clauses = criteria.map(([index, text]) => {
    const term = quoteTerm(text);
    return term === null ? null : `bib.${index} all ${term}`;
  });
  return clauses.includes(null) ? null : clauses.join(' and ');
}

/**
 * Books only: the index of authors also holds records, games and performances. The document type
 * « a » is printed text, serials included, hence the second filter; each record is checked again.
 */
const BOOKS_ONLY = 'bib.doctype any "a" and bib.recordtype any "mon"';

/** Records of one page: enough for one ISBN, and for a choice of ten by title. */
const PAGE_SIZE = 30;

/** Records of one page of a bibliography: large, since the source publishes no rate limit. */
const BIBLIOGRAPHIE_PAGE_SIZE = 500;
const MAX_BIBLIOGRAPHIE_RECORDS = 2000;

/**
 * The records that hold an ISBN. The catalogue indexes it as printed, hence two queries: works before
 * 2007 have an ISBN-10 only. It also indexes the segments of a number, so that a record without the
 * one asked for may come: it is left out. Throws `SourceUnreachable`, as all below.
 *
 * @param form which of the two to ask for; a number of the prefix 979 has no ISBN-10, and finds nothing
 */
export async function recordsByIsbn(
  bnf: Source,
  isbn13: string,
  form: 'isbn13' | 'isbn10',
  asker: Asker,
): Promise<BnfRecord[]> {
  const code = form === 'isbn13' ? isbn13 : isbn10Of(isbn13);
  const { records } = await readPage(bnf, code && toCql([['isbn', code]]), asker);
  return records.filter(({ isbns }) => isbns.includes(isbn13));
}

/** The records of periodicals that hold an ISSN, given in the hyphenated form. */
export async function recordsByIssn(bnf: Source, issn: string, asker: Asker): Promise<BnfRecord[]> {
  const { records } = await readPage(bnf, toCql([['issn', issn]]), asker);
  return records.filter(({ issns, kind }) => issns.includes(issn) && kind !== 'livre');
}

/** Books whose title has all these words, and whose people have all those, in the source's order. */
export async function recordsByTitre(
  bnf: Source,
  titre: string,
  auteur: string | null,
  asker: Asker,
): Promise<BnfRecord[]> {
  const words = toCql([
    ['title', titre],
    ...(auteur === null ? [] : [['author', auteur] as const]),
  ]);
  const { records } = await readPage(bnf, words && `${words} and ${BOOKS_ONLY}`, asker);
  return records.filter(isLivre);
}

/**
 * The books of a bibliography, not yet checked to be the author's: the index pairs words across all
 * the people of a record. Pages are followed up to 2,000 records; a page that fails fails the whole
 * (docs/rules.md § 26).
 */
export async function recordsByAuteur(
  bnf: Source,
  auteur: string,
  asker: Asker,
): Promise<BnfRecord[]> {
  const words = toCql([['author', auteur]]);
  const query = words && `${words} and ${BOOKS_ONLY}`;
  const livres: BnfRecord[] = [];
  for (let start: number | null = 1; start !== null && start <= MAX_BIBLIOGRAPHIE_RECORDS;) {
    const size = Math.min(BIBLIOGRAPHIE_PAGE_SIZE, MAX_BIBLIOGRAPHIE_RECORDS + 1 - start);
    const page: Page = await readPage(bnf, query, asker, start, size);
    if (page === NOT_FOUND) throw new SourceUnreachable('A page of the list is missing');
    livres.push(...page.records.filter(isLivre));
    start = page.next !== null && page.next > start ? page.next : null;
  }
  return livres;
}

/** A record without its kind has passed the source's own filters. */
const isLivre = ({ kind }: BnfRecord): boolean => kind === 'livre' || kind === 'unknown';

interface Page {
  readonly records: readonly BnfRecord[];
  readonly next: number | null;
}

const EMPTY: Page = { records: [], next: null };

/** A plain 404: no record for a lookup, a failure where a list must be whole. */
const NOT_FOUND: Page = { records: [], next: null };

async function readPage(
  bnf: Source,
  query: string | null,
  asker: Asker,
  start = 1,
  size = PAGE_SIZE,
): Promise<Page> {
  if (query === null) return EMPTY;
  const url = new URL(bnf.base);
  url.searchParams.set('version', '1.2');
  url.searchParams.set('operation', 'searchRetrieve');
  url.searchParams.set('query', query);
  url.searchParams.set('recordSchema', 'dublincore');
  url.searchParams.set('maximumRecords', String(size));
  url.searchParams.set('startRecord', String(start));
  // A blank as %20: « + » is a blank in forms only, not in addresses.
  url.search = url.search.replaceAll('+', '%20');
  const text = await bnf.read(url, asker);
  if (text === null) return NOT_FOUND;
  const { records, next } = parseSru(text);
  return { records: records.flatMap((record) => parseRecord(record) ?? []), next };
}
