import { isbn10De } from '#shared/isbn';
import type { Source } from '#server/upstream/agent';
import { SourceInjoignable } from '#server/upstream/silence';
import { DES_LIVRES, requete } from './cql.ts';
import { lireNotice, type Notice } from './notice.ts';
import { lireSru } from './sru.ts';

/** Enough for the records of one number, and for a choice of ten by title. */
const PAGE = 30;

/** Pages of a bibliography: big ones, since nothing is known of the rate that the source bears. */
const PAGE_BIBLIOGRAPHIE = 500;
const NOTICES_MAXIMUM = 2000;

/**
 * The records that hold an ISBN. The catalogue indexes it as printed, hence two questions: works
 * before 2007 bear an ISBN-10 only. It also indexes the segments of a number, so that a record
 * without the one asked for may come: it is left out. Throws `SourceInjoignable`, as all below.
 *
 * @param forme which of the two the catalogue is asked for; nothing is found by an ISBN-10 that
 * a number of the prefix 979 does not have
 */
export async function parIsbn(
  bnf: Source,
  isbn13: string,
  forme: 'isbn13' | 'isbn10',
  signal: AbortSignal,
): Promise<Notice[]> {
  const code = forme === 'isbn13' ? isbn13 : isbn10De(isbn13);
  const { notices } = await page(bnf, code && requete([['isbn', code]]), signal);
  return notices.filter(({ isbns }) => isbns.includes(isbn13));
}

/** The records of periodicals that hold an ISSN, given in the dashed form. */
export async function parIssn(bnf: Source, issn: string, signal: AbortSignal): Promise<Notice[]> {
  const { notices } = await page(bnf, requete([['issn', issn]]), signal);
  return notices.filter(({ issns, genre }) => issns.includes(issn) && genre !== 'livre');
}

/** Books whose title has all these words, and whose people have all those, in the source's order. */
export async function parTitre(
  bnf: Source,
  titre: string,
  auteur: string | null,
  signal: AbortSignal,
): Promise<Notice[]> {
  const mots = requete([
    ['title', titre],
    ...(auteur === null ? [] : [['author', auteur] as const]),
  ]);
  const { notices } = await page(bnf, mots && `${mots} and ${DES_LIVRES}`, signal);
  return notices.filter(estLivre);
}

/**
 * The books of a bibliography, before anyone has looked whether they are the author's: the index
 * pairs words across all the people of a record. Pages are followed up to 2,000 records; a page
 * that fails fails the whole.
 */
export async function parAuteur(
  bnf: Source,
  auteur: string,
  signal: AbortSignal,
): Promise<Notice[]> {
  const mots = requete([['author', auteur]]);
  const livres: Notice[] = [];
  for (let debut: number | null = 1; debut !== null && debut <= NOTICES_MAXIMUM;) {
    const nombre = Math.min(PAGE_BIBLIOGRAPHIE, NOTICES_MAXIMUM + 1 - debut);
    const lue: Page = await page(bnf, mots && `${mots} and ${DES_LIVRES}`, signal, debut, nombre);
    if (lue === ABSENTE) throw new SourceInjoignable('A page of the list is not there');
    livres.push(...lue.notices.filter(estLivre));
    debut = lue.suivante !== null && lue.suivante > debut ? lue.suivante : null;
  }
  return livres;
}

/** A record without its kind has passed the source's own filters. */
const estLivre = ({ genre }: Notice): boolean => genre === 'livre' || genre === 'inconnu';

interface Page {
  readonly notices: readonly Notice[];
  readonly suivante: number | null;
}

const RIEN: Page = { notices: [], suivante: null };

/** A plain 404: no record for a lookup, a failure where a list must be whole. */
const ABSENTE: Page = { notices: [], suivante: null };

async function page(
  bnf: Source,
  query: string | null,
  signal: AbortSignal,
  debut = 1,
  nombre = PAGE,
): Promise<Page> {
  if (query === null) return RIEN;
  const url = new URL(bnf.base);
  url.searchParams.set('version', '1.2');
  url.searchParams.set('operation', 'searchRetrieve');
  url.searchParams.set('query', query);
  url.searchParams.set('recordSchema', 'dublincore');
  url.searchParams.set('maximumRecords', String(nombre));
  url.searchParams.set('startRecord', String(debut));
  // A blank as %20: to read it in « + » is a habit of forms, not a rule of addresses.
  url.search = url.search.replaceAll('+', '%20');
  const texte = await bnf.lire(url, signal);
  if (texte === null) return ABSENTE;
  const { notices, suivante } = lireSru(texte);
  return { notices: notices.flatMap((notice) => lireNotice(notice) ?? []), suivante };
}
