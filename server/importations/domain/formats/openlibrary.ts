import { split } from '../values.ts';
import { noRow, readLecture, type TableFormat } from './table-format.ts';

/** Open Library's reading log; its older form names neither title nor ISBN. */
export const openLibrary: TableFormat = {
  name: 'openlibrary',
  recognises: (has) =>
    has('work id') && (has('edition id', 'bookshelf') || has('title', 'first publish year')),
  read: (cell) => {
    if (cell('title') === '' && cell('isbn') === '')
      return noRow(
        `seul le numéro d’Open Library est donné (${cell('work id')}) : ni titre ni ISBN`,
      );
    return {
      titre: cell('title'),
      auteurs: split(cell('authors'), ','),
      isbns: [cell('isbn')],
      lecture: readLecture(cell('bookshelf')),
    };
  },
};
