import { exporterGoodreads, exporterLivresCsv } from '#shared/export';
import { statutOfLecture } from '#shared/lectures';
import { formatIsbn } from '#shared/isbn-format';
import { STATUTS } from '#shared/statuts';
import { formatRows, type Cell } from '#server/plumbing/common/spreadsheet';
import type { ExportedText } from '#server/plumbing/records/kind';
import type { ExportedLecture } from '../../store/lectures.ts';
import { livreText, type LivreLine } from './lines.ts';

/** A table: its header, and what its cells are for each book. */
interface Table {
  readonly delimiter: string;
  readonly bom: boolean;
  readonly columns: Readonly<Record<string, (line: LivreLine) => Cell>>;
}

const openPret = ({ prets }: LivreLine) => prets.find(({ dateRetour }) => dateRetour === null);
const [aLire, enCours, lu] = ['à lire', 'en cours', 'lu'];

/** The last rating that its reader has given. */
const noteOf = ({ lectures }: LivreLine): number | null =>
  lectures.findLast(({ note }) => note !== null)?.note ?? null;
const avisOf = ({ lectures }: LivreLine): string | null =>
  lectures.findLast(({ avis }) => avis !== null)?.avis ?? null;
/** « 4,5 » of nine half stars. */
const starsText = (note: number | null): string =>
  note === null ? '' : String(note / 2).replace('.', ',');
/** The word for a status; of a book without one, that for a last reading that was given up, or for none. */
function statutText(
  { statut, lectures }: LivreLine,
  words: readonly [aLire: string, enCours: string, lu: string],
  others: { readonly abandoned: string; readonly none: string },
): string {
  if (statut !== null) return words[statut];
  return isGivenUp({ statut, lectures }) ? others.abandoned : others.none;
}
const isGivenUp = ({ statut, lectures }: Pick<LivreLine, 'statut' | 'lectures'>): boolean =>
  statut === null && lectures.at(-1)?.abandon === 1;
/** The last end of those readings that the shelf of Goodreads speaks of. */
const lastFin = (line: LivreLine): string | null =>
  line.lectures.findLast(({ fin, abandon }) => fin !== null && (abandon === 1) === isGivenUp(line))
    ?.fin ?? null;
const isRead = (lecture: ExportedLecture): boolean =>
  statutOfLecture({ ...lecture, abandon: lecture.abandon === 1 }) === 'Lue';
/** « 2019-03/2019-04-12 », its end alone, or « 2019-03/ » of one that is open. */
const spanText = ({ debut, fin }: ExportedLecture): string =>
  debut === null ? (fin ?? '') : `${debut}/${fin ?? ''}`;

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
    Statut: (line) => statutText(line, [aLire, enCours, lu], { abandoned: 'abandonné', none: '' }),
    Étoiles: (line) => starsText(noteOf(line)),
    Lectures: ({ lectures }) => lectures.map(spanText).filter(Boolean).join(' ; '),
    'Mon mot': avisOf,
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
    'My Rating': (line) => Math.round((noteOf(line) ?? 0) / 2),
    'Average Rating': none,
    Publisher: ({ editeur }) => editeur,
    Binding: ({ format }) => (format === 'Numerique' ? 'ebook' : 'Paperback'),
    'Number of Pages': ({ nombrePages }) => nombrePages,
    'Year Published': ({ annee }) => annee,
    'Original Publication Year': none,
    'Date Read': (line) => lastFin(line)?.replaceAll('-', '/') ?? null,
    'Date Added': ({ dateAjout }) => dateAjout.slice(0, 10).replaceAll('-', '/'),
    Bookshelves: none,
    'Bookshelves with positions': none,
    'Exclusive Shelf': (line) =>
      statutText(line, ['to-read', 'currently-reading', 'read'], {
        abandoned: 'did-not-finish',
        none: 'owned',
      }),
    'My Review': avisOf,
    Spoiler: none,
    'Private Notes': none,
    'Read Count': ({ lectures, statut }) =>
      lectures.filter(isRead).length || Number(statut === STATUTS.lu),
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
