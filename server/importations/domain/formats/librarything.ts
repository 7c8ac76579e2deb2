import { readingOrder, split } from '../values.ts';
import { isEbook, readLecture, type Cell, type TableFormat } from './table-format.ts';
import type { RawRow } from '../row.ts';

/** LibraryThing's table: names family first, ISBNs and dates in brackets, loans. */
export const libraryThing: TableFormat = {
  name: 'librarything',
  recognises: (has) => has('title', 'primary author') && (has('collections') || has('book id')),
  read: (cell) => ({
    titre: cell('title'),
    auteurs: [readingOrder(cell('primary author')), ...secondaryAuteurs(cell)],
    isbns: [...split(cell('isbns'), ',').reverse(), cell('isbn')].sort(longestFirst),
    editeur: publisherOf(cell('publication')),
    annee: cell('date'),
    nombrePages: cell('page count'),
    isNumerique: isEbook(cell('media')),
    ...collectionsOf(split(cell('collections'), ','), cell('date read'), cell('date started')),
    pret: pretOf(cell),
  }),
};

const longestFirst = (a: string, b: string): number =>
  b.replace(/\D/g, '').length - a.replace(/\D/g, '').length;

/** « Gallimard (1972), Broché » → « Gallimard ». */
export const publisherOf = (publication: string): string =>
  publication.replace(/\s*(?:\(.*|,\s.*)$/s, '');

/** Translators and writers of prefaces are no authors (docs/rules.md § 24). */
export const isOtherRole = (role: string): boolean =>
  // cspell:disable-next-line -- words that other programs write
  /translat|traduc|preface|préfac|foreword|introduc|narrat|afterword|postfac/i.test(role);

function secondaryAuteurs(cell: Cell): string[] {
  const roles = cell('secondary author roles').split('|');
  return cell('secondary author')
    .split('|')
    .filter((_, index) => !isOtherRole(roles[index] ?? ''))
    .map((nom) => readingOrder(nom.trim()));
}

/** What LibraryThing's collections and dates say of reading. */
export function collectionsOf(
  collections: readonly string[],
  read: string,
  started: string,
): Pick<RawRow, 'lecture' | 'avertissements'> {
  const dated = read === '' ? (started === '' ? null : 'enCours') : 'lu';
  const isUnowned = collections.includes('Read but unowned');
  return {
    lecture: readLecture(...collections) ?? dated,
    avertissements: isUnowned ? ['noté comme lu mais pas possédé dans LibraryThing'] : [],
  };
}

function pretOf(cell: Cell): NonNullable<RawRow['pret']> | null {
  const emprunteur = cell('lending patron');
  const isOver = cell('lending end') !== '' || /return|rendu/i.test(cell('lending status'));
  return emprunteur === '' || isOver ? null : { emprunteur, date: cell('lending start') };
}
