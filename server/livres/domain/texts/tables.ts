import { exporterGoodreads, exporterLivresCsv } from '#shared/export';
import { formatIsbn } from '#shared/isbn-format';
import { STATUTS, type StatutOrNull } from '#shared/statuts';
import { formatRows, type Cell } from '#server/domain/spreadsheet';
import type { ExportedText } from '#server/records/kind';
import { livreText, type LivreLine } from './lines.ts';

/** A table: its header, and what its cells are for each book. */
interface Table {
  readonly delimiter: string;
  readonly bom: boolean;
  readonly columns: Readonly<Record<string, (line: LivreLine) => Cell>>;
}

const openPret = ({ prets }: LivreLine) => prets.find(({ dateRetour }) => dateRetour === null);
const statutText = (statut: StatutOrNull, texts: readonly [string, string, string], none: string) =>
  statut === null ? none : texts[statut];
const [aLire, enCours, lu] = ['à lire', 'en cours', 'lu'];

/** For spreadsheets: semicolons and a byte order mark, as French ones expect (docs/rules.md § 41). */
const livresTable: Table = {
  delimiter: ';',
  bom: true,
  columns: {
    Titre: ({ titre }) => titre,
    Auteurs: ({ auteurs }) => auteurs.map(({ nom }) => nom).join(' ; '),
    // With its hyphens: a spreadsheet makes 9,78E+12 of thirteen digits.
    ISBN: ({ isbn }) => formatIsbn(isbn ?? ''),
    Éditeur: ({ editeur }) => editeur,
    Année: ({ annee }) => annee,
    Pages: ({ nombrePages }) => nombrePages,
    Format: ({ format }) => (format === 'Numerique' ? 'numérique' : 'papier'), // cspell:disable-line -- words of the screen
    Type: ({ typeDocument }) => typeDocument,
    Statut: ({ statut }) => statutText(statut, [aLire, enCours, lu], ''),
    Série: ({ tome }) => tome?.serie ?? null,
    Numéro: ({ tome }) => tome?.numero ?? null,
    Emplacement: ({ emplacement }) => emplacement,
    'Prêté à': (line) => openPret(line)?.emprunteur ?? null,
    'Date de prêt': (line) => openPret(line)?.datePret ?? null,
    'Ajouté par': ({ ajoutePar }) => ajoutePar,
    'Date d’ajout': ({ dateAjout }) => dateAjout,
    Couverture: ({ coverUrl }) => coverUrl,
  },
};

const none = (): Cell => null;

/** In Goodreads' columns, which many programs take. */
const goodreadsTable: Table = {
  delimiter: ',',
  bom: false,
  columns: {
    'Book Id': ({ id }) => id,
    Title: ({ titre, tome }) =>
      tome === null ? titre : `${titre} (${tome.serie}${tome.numero ? `, #${tome.numero}` : ''})`,
    Author: ({ auteurs }) => auteurs[0]?.nom ?? null,
    'Author l-f': none,
    'Additional Authors': ({ auteurs }) =>
      auteurs
        .slice(1)
        .map(({ nom }) => nom)
        .join(', '),
    ISBN: none,
    ISBN13: ({ isbn }) => isbn,
    'My Rating': () => 0,
    'Average Rating': none,
    Publisher: ({ editeur }) => editeur,
    Binding: ({ format }) => (format === 'Numerique' ? 'ebook' : 'Paperback'),
    'Number of Pages': ({ nombrePages }) => nombrePages,
    'Year Published': ({ annee }) => annee,
    'Original Publication Year': none,
    'Date Read': none,
    'Date Added': ({ dateAjout }) => dateAjout.slice(0, 10).replaceAll('-', '/'),
    Bookshelves: none,
    'Bookshelves with positions': none,
    'Exclusive Shelf': ({ statut }) =>
      statutText(statut, ['to-read', 'currently-reading', 'read'], 'owned'),
    'My Review': none,
    Spoiler: none,
    'Private Notes': none,
    'Read Count': ({ statut }) => (statut === STATUTS.lu ? 1 : 0),
    'Owned Copies': () => 1,
  },
};

function tableText({ delimiter, bom, columns }: Table): ExportedText['format'] {
  const cells = Object.values(columns);
  const head = formatRows([Object.keys(columns)], { delimiter, bom });
  const rowOf = (line: LivreLine) => cells.map((cell) => cell(line));
  return livreText((lines) => formatRows(lines.map(rowOf), { delimiter }), head);
}

/** Every book for a spreadsheet. */
export const livresCsv: ExportedText = {
  endpoint: exporterLivresCsv,
  name: 'livres.csv',
  label: 'un livre par ligne, pour un tableur',
  format: tableText(livresTable),
};

/** Every book for other programs of books. */
export const goodreadsCsv: ExportedText = {
  endpoint: exporterGoodreads,
  name: 'goodreads.csv',
  label: 'les mêmes, dans les colonnes de Goodreads',
  format: tableText(goodreadsTable),
};
