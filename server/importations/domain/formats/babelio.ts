import { seriesByTome } from '../series-in-titles.ts';
import { split } from '../values.ts';
import { firstOf, readLecture, type TableFormat } from './table-format.ts';

const ENTRY_DATE = ['date d`entrée dans babelio', "date d'entrée dans babelio"];

/** Babelio, the list of books and that of reviews: names are « Nom Prénom », dates day first. */
export const babelio: TableFormat = {
  name: 'babelio',
  recognises: (has) =>
    has('titre', 'auteur') &&
    (ENTRY_DATE.some((header) => has(header)) ||
      ((has('isbn') || has('ean')) && has('statut', 'note'))),
  read: (cell) => ({
    ...seriesByTome(cell('titre').replace(/\s+/g, ' ')),
    auteurs: [givenNameFirst(cell('auteur').replace(/\s+/g, ' '))],
    isbns: [firstOf(cell, 'isbn', 'ean')],
    editeur: cell('editeur'),
    annee: cell('date de publication'),
    lecture: readLecture(cell('statut')),
  }),
};

/** Words that a surname begins with: « Le Clézio » is no surname and a given name. */
const PARTICLE = /^(?:l[ea]s?|d[eu]s?|d'|van|von|del|di|el|al|mc|mac|saint|st)$/i;

/** « Camus Albert » in reading order; of more than two words none says where the surname ends. */
function givenNameFirst(nom: string): string {
  const [family = '', given, ...others] = split(nom, ' ');
  const isUnclear = given === undefined || others.length > 0 || PARTICLE.test(family);
  return isUnclear ? nom : `${given} ${family}`;
}
