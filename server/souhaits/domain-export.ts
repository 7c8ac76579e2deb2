import { stringify } from 'csv-stringify/sync';
import type { Listes } from '#shared/souhaits-texte';

const COLONNES = ['Type', 'Rang', 'Titre', 'Auteur', 'Numéro', 'Code'];

/** Both lists for a spreadsheet, books first; what it would take for a formula stays a text. */
export function enCsv({ souhaits, revues }: Listes): string {
  const lignes = [
    COLONNES,
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
  return stringify(lignes, {
    bom: true,
    delimiter: ';',
    record_delimiter: 'windows',
    escape_formulas: true,
    // Of itself the library quotes what holds the whole record delimiter, and no lone half of it.
    quoted_match: /[\r\n\t]/,
  });
}
