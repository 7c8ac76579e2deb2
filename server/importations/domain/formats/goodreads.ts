import { seriesInBrackets } from '../series-in-titles.ts';
import { split } from '../values.ts';
import { isEbook, readLecture, type TableFormat } from './table-format.ts';

/** Goodreads, old and new headers: series stand in the title, ISBNs in formulas. */
export const goodreads: TableFormat = {
  name: 'goodreads',
  recognises: (has) => has('book id', 'title', 'author', 'exclusive shelf'),
  read: (cell) => {
    const shelf = readLecture(cell('exclusive shelf'));
    const others = readLecture(...split(cell('bookshelves'), ','));
    return {
      ...seriesInBrackets(cell('title')),
      auteurs: [cell('author'), ...split(cell('additional authors'), ',')],
      isbns: [cell('isbn13'), cell('isbn')],
      editeur: cell('publisher'),
      annee: cell('year published'),
      nombrePages: cell('number of pages'),
      isNumerique: isEbook(cell('binding')),
      lecture: others === 'souhait' && shelf !== 'lu' && shelf !== 'enCours' ? others : shelf,
    };
  },
};
