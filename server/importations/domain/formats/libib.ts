import { split } from '../values.ts';
import { noRow, readLecture, type TableFormat } from './table-format.ts';

/** Libib, which keeps films, music and games in the same file. */
export const libib: TableFormat = {
  name: 'libib',
  recognises: (has) => has('item_type', 'title', 'ean_isbn13'),
  read: (cell) => {
    const kind = cell('item_type');
    if (kind !== '' && !/book|livre/i.test(kind)) return noRow(`ce n’est pas un livre (${kind})`);
    const creators = split(cell('creators'), ',');
    const nom = `${cell('first_name')} ${cell('last_name')}`.trim();
    const wished = readLecture(cell('collection'));
    return {
      titre: cell('title'),
      auteurs: creators.length > 0 ? creators : [nom],
      isbns: [cell('ean_isbn13'), cell('upc_isbn10')],
      editeur: cell('publisher'),
      annee: cell('publish_date'),
      nombrePages: cell('length'),
      lecture: wished === 'souhait' ? wished : readLecture(cell('status')),
    };
  },
};
