import { isbn10Of, parseIsbn } from '#shared/isbn';
import { MAX_LENGTHS } from '#shared/fields';
import { parseIssn } from '#shared/issn';
import {
  cleanText,
  inReadingOrder,
  parseAnnee,
  parseNombrePages,
  truncate,
  uniqueNoms,
} from '#server/plumbing/upstream/texts';
import type { Asker } from './queue.ts';
import { SourceUnreachable, type Source, type SourceRecord } from './sources.ts';
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
 * The index of authors also holds records, games and performances. Document type « a » is printed text, serials
 * included, hence the second filter; each record is checked again.
 */
const BOOKS_ONLY = 'bib.doctype any "a" and bib.recordtype any "mon"';

/** For one ISBN, and a choice of ten by title. */
const PAGE_SIZE = 30;

/** Large, since the source publishes no rate limit. */
const BIBLIOGRAPHIE_PAGE_SIZE = 500;
const MAX_BIBLIOGRAPHIE_RECORDS = 2000;

/**
 * The catalogue indexes an ISBN as printed: works before 2007 have an ISBN-10 only, hence two queries. It also indexes
 * the segments of a number, so records without the ISBN come and are left out. Throws `SourceUnreachable`, as all
 * functions below.
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

export async function recordsByIssn(bnf: Source, issn: string, asker: Asker): Promise<BnfRecord[]> {
  const { records } = await readPage(bnf, toCql([['issn', issn]]), asker);
  return records.filter(({ issns, kind }) => issns.includes(issn) && kind !== 'livre');
}

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
 * Not yet checked to be the author's: the index pairs words across all people of a record. At most 2,000 records; a
 * page that fails fails the whole (docs/rules.md § 26).
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
  /** On a 404: no record in a lookup, a failure where a list must be whole. */
  readonly isMissing: boolean;
}

async function readPage(
  bnf: Source,
  query: string | null,
  asker: Asker,
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
  const text = await bnf.read(url, asker);
  if (text === null) return { records: [], next: null, isMissing: true };
  const { records, next } = parseSru(text);
  return {
    records: records.flatMap((record) => parseRecord(record) ?? []),
    next,
    isMissing: false,
  };
}

interface Person {
  readonly nom: string;
  readonly roles: readonly string[];
}

/** How the roles of the BnF begin: in a text without dates only this tells a role from a name. */
// cspell:disable -- the source's own words
const ROLE = new RegExp(
  '^(?:Auteur|Autrice|Traduct|Illustrat|Préfac|Postfac|Éditeur|Editeur|Scénariste|Dessinat|Colorist|' +
    'Photograph|Adaptat|Annotat|Collaborat|Commentat|Compilat|Composit|Concept|Direct|Réalisat|' +
    'Interpr|Narrat|Lect|Récitant|Parolier|Producteur|Rédact|Graveur|Imprim|Librair|Public|' +
    'Présentat|Organisat|Particip|Ancien|Dédicat|Destinat|Correspond|Intervie|Personne|' +
    'Cartograph|Calligraph|Maquettist|Graphist|Relieur|Fonction|Contribut|Directrice)',
  'u',
);

const AUTEUR_ROLE = /^(?:Auteur(?! adapté)|Scénariste|Dessinateur)/u;
const COMIC_ROLE = /^(?:Scénariste|Dessinat)/u;
const FALLBACK_ROLE = /^(?:Illustrateur|Photographe|Éditeur scientifique)/u;
// cspell:enable

/**
 * Reads « Ménard, Jean-François (1948-.... ; romancier pour la jeunesse). Traducteur ». The bracketed group is removed
 * before the role is looked for: dates and initials have full stops, too.
 */
export function parsePerson(text: string): Person | null {
  const clean = cleanText(text);
  const group = clean.indexOf('(');
  const { catalogued, roles } = group === -1 ? splitAtRole(clean) : splitAtGroup(clean, group);
  const nom = inReadingOrder(catalogued);
  return nom === '' ? null : { nom, roles };
}

/**
 * Those with an author's role or none; where there is nobody, illustrators, photographers and scientific editors
 * (docs/rules.md § 24). The element tells nothing: dc:creator also has non-authors, and dc:contributor authors.
 */
export function chooseAuteurs(people: readonly Person[]): string[] {
  const auteurs = people.filter(
    ({ roles }) => roles.length === 0 || roles.some((role) => AUTEUR_ROLE.test(role)),
  );
  const fallback = people.filter(({ roles }) => roles.some((role) => FALLBACK_ROLE.test(role)));
  const chosen = auteurs.length > 0 ? auteurs : fallback;
  return uniqueNoms(chosen.map(({ nom }) => nom));
}

export const makeComic = (people: readonly Person[]): boolean =>
  people.some(({ roles }) => roles.some((role) => COMIC_ROLE.test(role)));

function splitAtGroup(text: string, group: number) {
  const afterGroups = text.slice(group).replace(/\([^)]*\)?/gu, '');
  return {
    catalogued: text.slice(0, group).trim(),
    roles: splitAtFullStops(afterGroups).filter((part) => part !== ''),
  };
}

/**
 * Without dates a full stop may end an initial (« Green, Simon R. Auteur du texte »), a body (« France. Ministère de la
 * culture ») or the name. The first known role ends the name, else, after a comma, the first whole word.
 */
function splitAtRole(text: string) {
  const parts = splitAtFullStops(text);
  const firstPart = (pattern: RegExp) =>
    parts.findIndex((part, index) => index > 0 && pattern.test(part));
  const known = firstPart(ROLE);
  const end = known !== -1 || !text.includes(',') ? known : firstPart(/\p{L}{3}/u);
  const nameParts = end === -1 ? parts : parts.slice(0, end);
  return {
    catalogued: nameParts.join('. ').replace(/(?<=^|[\s.-])(\p{Lu})$/u, '$1.'),
    roles: end === -1 ? [] : parts.slice(end),
  };
}

const splitAtFullStops = (text: string): string[] =>
  // The look-behind keeps megabytes of stops from being read once from each of them.
  text.split(/\.\s+|\.$/u).map((part) => part.replace(/^[\s.]+|(?<![\s.])[\s.]+$/gu, ''));

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
  };
}

/**
 * A title without its responsibility, which follows ` / `, and without an edition remark « (Éd. prestige) », which
 * stands before or in place of that; whole where nothing would be left. ` // ` is part of a title.
 */
export function parseTitre(text: string): string | null {
  const clean = cleanText(text);
  const titre = clean.split(/\s\/\s/u)[0] ?? '';
  const withoutEdition = titre.split(/\s\[?\(\[?Éd\./u)[0] ?? '';
  return truncate(withoutEdition, MAX_LENGTHS.titre) ?? truncate(clean, MAX_LENGTHS.titre);
}

export function parseEditeur(text: string): string | null {
  const editeur = cleanText(text).replace(/\s*\([^()]*\)$/u, '');
  return /^\[?s\.\s?n\.\]?$/iu.test(editeur) ? null : truncate(editeur, MAX_LENGTHS.nom);
}

/** The ISBNs, and the barcode in place of one: « Code à barres commercial : EAN … ». */
function isbnsIn(identifiers: readonly string[], descriptions: readonly string[]): string[] {
  const codes = [
    ...codesAfter(/^ISBN\s+/iu, identifiers),
    ...codesAfter(/^.*\bEAN\s+(?=[\d -]+$)/u, descriptions),
  ];
  return [...new Set(codes.flatMap((code) => parseIsbn(code) ?? []))];
}

/** « ISBN 2-07-040850-7 (br.) ». */
const codesAfter = (label: RegExp, texts: readonly string[]): string[] =>
  texts
    .filter((text) => label.test(text))
    .map((text) => text.replace(label, '').split(' ')[0] ?? '');

const findArk = (text: string): string | null => /ark:\/\d+\/\w+/u.exec(text)?.[0] ?? null;

/** By the French type only: the English « text » is on manuscripts and serials, too. */
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
