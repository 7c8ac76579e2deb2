import { isYes, readingOrder } from '../values.ts';
import { firstOf, isEbook, readLecture, type TableFormat } from './table-format.ts';

/** BookBuddy, by the names of its columns. */
export const bookBuddy: TableFormat = {
  name: 'bookbuddy',
  recognises: (has) =>
    has('title', 'author') && (has('loaned to') || has('physical location', 'wish list')),
  read: (cell) => {
    const [serie, numero] = [cell('series'), cell('volume')];
    const emprunteur = cell('loaned to');
    return {
      titre: [cell('title'), cell('subtitle')].filter((text) => text !== '').join(' : '),
      auteurs: cell('author')
        .split(/;|\s&\s|,\s(?=\S+\s)/)
        .map((nom) => readingOrder(nom.trim())),
      isbns: [cell('isbn')],
      editeur: cell('publisher'),
      annee: firstOf(cell, 'year published', 'date published'),
      nombrePages: firstOf(cell, 'number of pages', 'pages'),
      isNumerique: isEbook(cell('format')),
      lecture: isYes(cell('wish list')) ? 'souhait' : readLecture(cell('status')),
      series: serie === '' ? [] : [{ titre: serie, numero: numero === '' ? null : numero }],
      pret: emprunteur === '' ? null : { emprunteur, date: cell('date loaned') },
      avertissements: isYes(cell('previously owned')) ? ['noté comme possédé autrefois'] : [],
    };
  },
};
