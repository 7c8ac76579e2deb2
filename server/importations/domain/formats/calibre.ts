import { bare, split } from '../values.ts';
import type { TableFormat } from './table-format.ts';

/** Calibre: a book with files is an ebook; an ISBN that lost its X stands whole in `identifiers`. */
export const calibre: TableFormat = {
  name: 'calibre',
  recognises: (has) => has('title', 'authors') && (has('author_sort') || has('title_sort')),
  read: (cell) => {
    const identifiers = split(cell('identifiers'), ',').flatMap((text) =>
      text.startsWith('isbn:') ? [text.slice(5)] : [],
    );
    const serie = cell('series');
    const numero = bare(cell('series_index')).replace(/[.,]0+$/, '');
    return {
      titre: cell('title'),
      auteurs: split(cell('authors'), /\s&\s|,\s/),
      // Only where it is whole: the same number without its X would be told as false.
      isbns: identifiers.length > 0 ? identifiers : [cell('isbn')],
      editeur: cell('publisher'),
      // Calibre writes the year 101 where it knows none.
      annee: cell('pubdate').startsWith('0101') ? '' : cell('pubdate'),
      isNumerique: cell('formats') !== '',
      series: serie === '' ? [] : [{ titre: serie, numero: numero === '' ? null : numero }],
    };
  },
};
