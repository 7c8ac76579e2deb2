import { split } from '../values.ts';
import { firstOf, type TableFormat } from './table-format.ts';

/** Inventaire: an edition beside its works. */
export const inventaire: TableFormat = {
  name: 'inventaire',
  recognises: (has) => has('item url') && (has('edition isbn-13') || has('edition title')),
  read: (cell) => {
    const ordinals = split(cell('works series ordinals'), ',');
    return {
      titre: firstOf(cell, 'edition title', 'works labels'),
      auteurs: split(cell('authors labels'), ','),
      isbns: [cell('edition isbn-13'), cell('edition isbn-10')],
      editeur: cell('publisher label'),
      annee: cell('edition publication date'),
      nombrePages: cell('edition number of pages'),
      series: split(cell('series labels'), ',').map((titre, index) => ({
        titre,
        numero: ordinals[index] ?? null,
      })),
    };
  },
};
