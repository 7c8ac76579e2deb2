import { stringify } from 'csv-stringify/sync';
import type { SouhaitLists } from '#shared/souhaits-text';

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
  return stringify(rows, {
    bom: true,
    delimiter: ';',
    record_delimiter: 'windows',
    escape_formulas: true,
    // By default only the whole record delimiter is quoted, not a lone CR or LF.
    quoted_match: /[\r\n\t]/,
  });
}
