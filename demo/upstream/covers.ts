import { drawCover } from '../couvertures/draw.ts';
import { readLivres } from '../livres.ts';
import type { Words } from '../couvertures/designs.ts';
import { EDITIONS } from './editions.ts';
import { RECORDS } from './records.ts';

/** A response of a cover source: a picture, or an HTTP status. */
type PlayedCover = Buffer | 404;

/** The number of editions of a work, each with another cover, for « Autres couvertures ». */
const COVERS_OF_WORK = 5;

/**
 * The covers of the simulated sources, drawn on request; `null` if the address is none of a cover. The open database
 * has those of the demonstration's books and of its own editions; the library has those of its records, and a
 * placeholder for all others.
 */
export async function answerCover({ pathname, searchParams }: URL): Promise<PlayedCover | null> {
  const isbn = /^\/b\/isbn\/(\d{13})-L\.jpg$/u.exec(pathname)?.[1];
  const number = /^\/b\/id\/(\d+)-L\.jpg$/u.exec(pathname)?.[1];
  if (isbn !== undefined) return drawn(wordsOfIsbn(isbn));
  if (number !== undefined) return drawn(wordsOfNumber(Number(number)));
  if (pathname !== '/couverture') return null;
  const ark = searchParams.get('idArk')?.split('/').at(-1);
  const record = RECORDS.find((each) => each.ark === ark && each.type === undefined);
  return drawn(record ? { titre: shortTitre(record.titre), auteur: '' } : PLACEHOLDER);
}

/** The numbers of the covers of an edition, and of the editions of its work. */
export const coverNumbers = (isbn13: string): number[] =>
  Array.from({ length: COVERS_OF_WORK }, (_, index) => Number(isbn13.slice(3)) * 10 + index);

const PLACEHOLDER: Words = { titre: 'Pas de couverture', auteur: '' };

const drawn = async (words: Words | undefined): Promise<PlayedCover> =>
  words === undefined ? 404 : drawCover(words);

const shortTitre = (titre: string): string => titre.split(' / ')[0] ?? titre;

function wordsOfIsbn(isbn: string): Words | undefined {
  const edition = EDITIONS.find(({ isbn13 }) => isbn13 === isbn);
  if (edition !== undefined) return { titre: String(edition.content['title']), auteur: '' };
  const livre = readLivres().find((each) => each.isbn === isbn);
  const [auteur = ''] = livre?.auteurs ?? [];
  return livre && { titre: livre.titre, auteur: typeof auteur === 'string' ? auteur : auteur.nom };
}

/** Blanks at the end of the title give each number another design; they are not drawn. */
function wordsOfNumber(number: number): Words | undefined {
  const words = wordsOfIsbn(`978${String(Math.floor(number / 10)).padStart(10, '0')}`);
  return words && { ...words, titre: words.titre + '\u00a0'.repeat(number % 10) };
}
