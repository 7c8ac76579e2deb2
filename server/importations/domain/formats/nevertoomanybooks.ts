import { isYes, readingOrder, split } from '../values.ts';
import { firstOf, readLecture, type TableFormat } from './table-format.ts';

/** NeverTooManyBooks: lists apart by `|`, with details behind ` * `. */
export const neverTooManyBooks: TableFormat = {
  name: 'nevertoomanybooks',
  recognises: (has) => has('title', 'author_details') && (has('series_details') || has('_id')),
  read: (cell) => {
    const emprunteur = cell('loaned_to');
    const isRead = isYes(cell('read')) || cell('read_end') !== '';
    const shelf = readLecture(...split(cell('bookshelf'), /[|,]/));
    const dated = isRead ? 'lu' : cell('read_start') !== '' ? 'enCours' : null;
    return {
      titre: cell('title'),
      auteurs: items(cell('author_details')).map(readingOrder),
      isbns: [cell('isbn')],
      editeur: items(firstOf(cell, 'publisher', 'publisher_details'))[0] ?? '',
      annee: cell('date_published'),
      nombrePages: cell('pages'),
      isNumerique: /e-?book|num/i.test(cell('format')),
      lecture: shelf === 'souhait' ? shelf : (dated ?? shelf),
      series: items(cell('series_details')).map(serieOf),
      pret: emprunteur === '' ? null : { emprunteur, date: null },
    };
  },
};

const items = (text: string): string[] =>
  split(text, '|').map((item) => item.replace(/\s\*\s.*$/s, '').trim());

/** « Name (3) », « Name ». */
function serieOf(text: string): { titre: string; numero: string | null } {
  const [, titre = text, numero = ''] = /^(.*\S)\s*\(([^()]*)\)$/s.exec(text) ?? [];
  return { titre, numero: numero === '' ? null : numero };
}
