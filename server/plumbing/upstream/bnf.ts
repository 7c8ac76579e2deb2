import { isbn10Of, parseIsbn } from '#shared/isbn';
import { MAX_LENGTHS } from '#shared/fields';
import { parseIssn } from '#shared/issn';
import { nomOfLangue } from '#shared/langues';
import { cleanText, parseAnnee, parseNombrePages, truncate } from '#server/plumbing/upstream/texts';
import { chooseAuteurs, makeComic, nomsInRole, parsePerson } from './noms.ts';
import type { QueueOwner } from './queue.ts';
import { SourceUnreachable, detailsOf, type Source, type SourceRecord } from './sources.ts';
import { parseSru, type SruRecord, type XmlElement } from './sru.ts';

/** Matches records that have all the words of the text, in any order, in that index of the catalogue. */
type Criterion = readonly [index: 'isbn' | 'issn' | 'title' | 'author', text: string];

/**
 * The words of a text as a quoted CQL term, `null` when it has none. A quote or backslash could end the term, and `*`,
 * `?` and `^` are wildcards; they become blanks, since no search needs them and the source documents no escape.
 */
export function quoteTerm(text: string): string | null {
  const words = text.replace(/["\\*?^\s\p{Cc}]+/gu, ' ').trim();
  return /[\p{L}\p{N}]/u.test(words) ? `"${words}"` : null;
}

export function toCql(criteria: readonly Criterion[]): string | null {
  const clauses = criteria.map(([index, text]) => {
    const term = quoteTerm(text);
    return term === null ? null : `bib.${index} all ${term}`;
  });
  return clauses.includes(null) ? null : clauses.join(' and ');
}

/**
 * The index of authors also has audio records, games and performances. Document type « a » is printed text, serials
 * included, hence the second filter; each record is checked again.
 */
const BOOKS_ONLY = 'bib.doctype any "a" and bib.recordtype any "mon"';

/** Enough for one ISBN, and for a choice of ten by title. */
const PAGE_SIZE = 30;

/** Large, since the source publishes no rate limit. */
const BIBLIOGRAPHIE_PAGE_SIZE = 500;
const MAX_BIBLIOGRAPHIE_RECORDS = 2000;

/**
 * Records with an ISBN. The catalogue indexes the number as printed: works before 2007 have an ISBN-10 only, hence
 * two queries. It also indexes segments of numbers, so that other records come and are dropped. Throws
 * `SourceUnreachable`, like all functions below.
 */
export async function recordsByIsbn(
  bnf: Source,
  isbn13: string,
  form: 'isbn13' | 'isbn10',
  caller: QueueOwner,
): Promise<BnfRecord[]> {
  const code = form === 'isbn13' ? isbn13 : isbn10Of(isbn13);
  const { records } = await readPage(bnf, code && toCql([['isbn', code]]), caller);
  return records.filter(({ isbns }) => isbns.includes(isbn13));
}

export async function recordsByIssn(
  bnf: Source,
  issn: string,
  caller: QueueOwner,
): Promise<BnfRecord[]> {
  const { records } = await readPage(bnf, toCql([['issn', issn]]), caller);
  return records.filter(({ issns, kind }) => issns.includes(issn) && kind !== 'livre');
}

export async function recordsByTitre(
  bnf: Source,
  titre: string,
  auteur: string | null,
  caller: QueueOwner,
): Promise<BnfRecord[]> {
  const words = toCql([
    ['title', titre],
    ...(auteur === null ? [] : [['author', auteur] as const]),
  ]);
  const { records } = await readPage(bnf, words && `${words} and ${BOOKS_ONLY}`, caller);
  return records.filter(isLivre);
}

/**
 * Records of an author, not yet verified: the index pairs words across all people of a record. At most 2,000; if one
 * page fails, all do (docs/rules.md § 26).
 */
export async function recordsByAuteur(
  bnf: Source,
  auteur: string,
  caller: QueueOwner,
): Promise<BnfRecord[]> {
  const words = toCql([['author', auteur]]);
  const query = words && `${words} and ${BOOKS_ONLY}`;
  const livres: BnfRecord[] = [];
  for (let start: number | null = 1; start !== null && start <= MAX_BIBLIOGRAPHIE_RECORDS;) {
    const size = Math.min(BIBLIOGRAPHIE_PAGE_SIZE, MAX_BIBLIOGRAPHIE_RECORDS + 1 - start);
    const page: Page = await readPage(bnf, query, caller, start, size);
    if (page.isMissing) throw new SourceUnreachable('A page of the list is missing');
    livres.push(...page.records.filter(isLivre));
    start = page.next !== null && page.next > start ? page.next : null;
  }
  return livres;
}

/** A record of unknown kind has passed the source's own filters. */
const isLivre = ({ kind }: BnfRecord): boolean => kind === 'livre' || kind === 'unknown';

interface Page {
  readonly records: readonly BnfRecord[];
  readonly next: number | null;
  /** Whether a 404 means no record (a lookup) or a failure (a complete list). */
  readonly isMissing: boolean;
}

async function readPage(
  bnf: Source,
  query: string | null,
  caller: QueueOwner,
  start = 1,
  size = PAGE_SIZE,
): Promise<Page> {
  if (query === null) return { records: [], next: null, isMissing: false };
  const url = new URL(bnf.base);
  url.searchParams.set('version', '1.2');
  url.searchParams.set('operation', 'searchRetrieve');
  url.searchParams.set('query', query);
  url.searchParams.set('recordSchema', 'dublincore');
  url.searchParams.set('maximumRecords', String(size));
  url.searchParams.set('startRecord', String(start));
  // « + » is a blank in forms only; an address needs %20.
  url.search = url.search.replaceAll('+', '%20');
  const text = await bnf.read(url, caller);
  if (text === null) return { records: [], next: null, isMissing: true };
  const { records, next } = parseSru(text);
  return {
    records: records.flatMap((record) => parseRecord(record) ?? []),
    next,
    isMissing: false,
  };
}

const DC = 'http://purl.org/dc/elements/1.1/';

type Kind = 'livre' | 'revue' | 'other' | 'unknown';

interface BnfRecord extends SourceRecord {
  readonly kind: Kind;
  readonly issns: readonly string[];
}

/** Reads a record in Dublin Core (docs/rules.md § 24); `null` without a title. */
export function parseRecord({ identifier, content }: SruRecord): BnfRecord | null {
  const fields = content.children.filter(({ namespace }) => namespace === DC);
  const texts = (...names: string[]) =>
    fields.filter(({ name }) => names.includes(name)).map(({ text }) => cleanText(text));
  const titre = firstOf(texts('title'), parseTitre);
  if (titre === null) return null;
  const identifiers = texts('identifier');
  const people = texts('creator', 'contributor').flatMap((text) => parsePerson(text) ?? []);
  return {
    id: findArk(identifier ?? '') ?? firstOf(identifiers, findArk),
    titre,
    auteurs: chooseAuteurs(people).flatMap((nom) => truncate(nom, MAX_LENGTHS.nom) ?? []),
    editeur: firstOf(texts('publisher'), parseEditeur),
    annee: firstOf(texts('date'), parseAnnee),
    nombrePages: firstOf(texts('format'), parseNombrePages),
    isbns: isbnsIn(identifiers, texts('description')),
    issns: codesAfter(/^ISSN\s+/iu, identifiers).flatMap((code) => parseIssn(code) ?? []),
    kind: kindOf(fields),
    ...(makeComic(people) ? { typeDocument: 'BandeDessinee' as const } : {}),
    details: detailsOf({
      Langue: languesIn(texts('language')),
      Traduction: nomsInRole(people, /^Traduct/u), // cspell:disable-line
      Collection: textsAfter(/^Collection\s*:\s*/u, texts('description')),
      Résumé: textsAfter(/^Résumé\s*:\s*/u, texts('description')),
    }),
  };
}

/**
 * A title without its responsibility, which follows ` / `, and without an edition remark « (Éd. prestige) » before or
 * instead of that; unchanged if nothing would be left. ` // ` is part of a title.
 */
export function parseTitre(text: string): string | null {
  const clean = cleanText(text);
  const titre = clean.split(/\s\/\s/u)[0] ?? '';
  const withoutEdition = titre.split(/\s\[?\(\[?Éd\./u)[0] ?? '';
  return truncate(withoutEdition, MAX_LENGTHS.titre) ?? truncate(clean, MAX_LENGTHS.titre);
}

export function parseEditeur(text: string): string | null {
  const editeur = cleanText(text)
    .replace(/\([^()]*\)$/u, '')
    .trimEnd();
  return /^\[?s\.\s?n\.\]?$/iu.test(editeur) ? null : truncate(editeur, MAX_LENGTHS.nom);
}

/** The ISBNs, and a barcode given instead of one: « Code à barres commercial : EAN … ». */
function isbnsIn(identifiers: readonly string[], descriptions: readonly string[]): string[] {
  const codes = [
    ...codesAfter(/^ISBN\s+/iu, identifiers),
    ...codesAfter(/^.*\bEAN\s+(?=\d[\d -]*$)/u, descriptions),
  ];
  return [...new Set(codes.flatMap((code) => parseIsbn(code) ?? []))];
}

/** A record has each language as a code and in words: « fre », « français ». */
function languesIn(texts: readonly string[]): string[] {
  const codes = texts.filter((text) => /^[a-z]{3}$/u.test(text));
  return (codes.length > 0 ? codes : texts).map(nomOfLangue);
}

const textsAfter = (label: RegExp, texts: readonly string[]): string[] =>
  texts.filter((text) => label.test(text)).map((text) => text.replace(label, ''));

/** « ISBN 2-07-040850-7 (br.) ». */
const codesAfter = (label: RegExp, texts: readonly string[]): string[] =>
  textsAfter(label, texts).map((text) => text.split(' ')[0] ?? '');

const findArk = (text: string): string | null => /ark:\/\d+\/\w+/u.exec(text)?.[0] ?? null;

/** By the French type only: the English « text » is also given to manuscripts and serials. */
function kindOf(fields: readonly XmlElement[]): Kind {
  const type = fields.find(
    ({ name, attributes }) => name === 'type' && attributes['xml:lang'] === 'fre',
  );
  const text = cleanText(type?.text ?? '').toLowerCase();
  if (text === '') return 'unknown';
  if (text.startsWith('texte imprimé')) return 'livre';
  return text.startsWith('publication en série') ? 'revue' : 'other';
}

function firstOf<T>(texts: readonly string[], parse: (text: string) => T | null): T | null {
  for (const text of texts) {
    const value = parse(text);
    if (value !== null) return value;
  }
  return null;
}
