import { split } from '../values.ts';
import { readLecture, type TableFormat } from './table-format.ts';

/** BookWyrm: the shelf says what is read, else the dates. */
export const bookWyrm: TableFormat = {
  name: 'bookwyrm',
  recognises: (has) => has('title', 'author_text', 'remote_id'),
  read: (cell) => {
    const dated = cell('finish_date') !== '' ? 'lu' : cell('start_date') !== '' ? 'enCours' : null;
    return {
      titre: cell('title'),
      auteurs: split(cell('author_text'), ','),
      isbns: [cell('isbn_13'), cell('isbn_10')],
      lecture: readLecture(cell('shelf'), cell('shelf_name')) ?? dated,
    };
  },
};
