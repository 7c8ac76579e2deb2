import type { SouhaitLists } from '#shared/souhaits-text';
import { formatRows } from '#server/plumbing/common/spreadsheet';

const HEADER = ['Type', 'Rang', 'Titre', 'Auteur', 'Numéro', 'Code'];

/** Both lists for a spreadsheet, books first; formulas are escaped (docs/rules.md § 18). */
export function formatCsv({ souhaits, revues }: SouhaitLists): string {
  const rows = [
    HEADER,
    ...souhaits.map(({ rang, titre, auteur, isbnAffiche }) => [
      'Livre',
      String(rang),
      titre,
      auteur ?? '',
      '',
      isbnAffiche ?? '',
    ]),
    ...revues.map(({ rang, titre, numero, issn }) => [
      'Revue',
      String(rang),
      titre,
      '',
      numero ?? '',
      issn ?? '',
    ]),
  ];
  return formatRows(rows, { delimiter: ';', bom: true });
}
