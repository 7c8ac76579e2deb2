import { split } from '../values.ts';
import { isEbook, readLecture, type TableFormat } from './table-format.ts';

/** StoryGraph: `ISBN/UID` may be no ISBN. */
export const storyGraph: TableFormat = {
  name: 'storygraph',
  recognises: (has) => has('title', 'isbn/uid', 'read status'),
  read: (cell) => ({
    titre: cell('title'),
    auteurs: split(cell('authors'), ','),
    isbns: [cell('isbn/uid')],
    isNumerique: isEbook(cell('format')),
    lecture: readLecture(cell('read status')),
  }),
};
