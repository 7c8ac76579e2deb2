import { partsOf } from '#shared/text';
import type { RawRow } from '../row.ts';
import { isYes, readingOrder } from '../values.ts';
import { readLecture } from './read-table.ts';
import type { Cell } from './table-format.ts';

/** Goodreads: who reads a book has it, whatever list it stands on besides. */
export function keepRead(row: RawRow, cell: Cell): RawRow {
  const shelf = readLecture(cell('exclusive shelf'));
  return shelf === 'lu' || shelf === 'enCours' ? { ...row, lecture: shelf } : row;
}

/** LibraryThing: « Gallimard (1972), Broché », authors with roles, loans that may be over. */
export const libraryThingDetails = (row: RawRow, cell: Cell): RawRow => ({
  ...row,
  auteurs: [...row.auteurs, ...secondaryAuteurs(cell)],
  editeur: row.editeur?.replace(/\s*(?:\(.*|,\s.*)$/s, '') ?? '',
  pret: isReturned(cell) ? null : (row.pret ?? null),
  avertissements: partsOf(cell('collections'), ',').includes('Read but unowned')
    ? ['noté dans LibraryThing comme lu, sans être dans la bibliothèque']
    : [],
});

function secondaryAuteurs(cell: Cell): string[] {
  const roles = cell('secondary author roles').split('|');
  return cell('secondary author')
    .split('|')
    .filter((_, index) => !isOtherRole(roles[index] ?? ''))
    .map(readingOrder);
}

/** Translators and writers of prefaces are no authors (docs/rules.md § 24). */
export const isOtherRole = (role: string): boolean =>
  // cspell:disable-next-line -- words that other programs write
  /translat|traduc|preface|préfac|foreword|introduc|narrat|afterword|postfac/i.test(role);

const isReturned = (cell: Cell): boolean =>
  cell('lending end') !== '' || /return|rendu/i.test(cell('lending status'));

/** Libib keeps films, music and games in the same file. */
export function livresOnly(row: RawRow, cell: Cell): RawRow {
  const kind = cell('item_type');
  if (kind !== '' && !/book|livre/i.test(kind)) return noLivre(`ce n’est pas un livre (${kind})`);
  const nom = `${cell('first_name')} ${cell('last_name')}`;
  return row.auteurs.length > 0 ? row : { ...row, auteurs: [nom] };
}

/** Calibre: a book with files is an ebook; an ISBN that lost its X stands whole in `identifiers`. */
export function calibreDetails(row: RawRow, cell: Cell): RawRow {
  const identifiers = partsOf(cell('identifiers'), ',').filter((text) => text.startsWith('isbn:'));
  return {
    ...row,
    // Not both: the same number without its X would be told as false.
    isbns: identifiers.length > 0 ? identifiers.map((text) => text.slice(5)) : (row.isbns ?? []),
    // Calibre writes the year 101 where it knows none.
    annee: row.annee?.startsWith('0101') === true ? '' : (row.annee ?? ''),
    isNumerique: cell('formats') !== '',
  };
}

/** NeverTooManyBooks: « Name (3) » is a series; what was read counts before the shelf. */
export function neverTooManyBooksDetails(row: RawRow, cell: Cell): RawRow {
  const isRead = isYes(cell('read')) || cell('read_end') !== '';
  const dated = isRead ? 'lu' : cell('read_start') === '' ? null : 'enCours';
  return {
    ...row,
    lecture: row.lecture === 'souhait' ? 'souhait' : (dated ?? row.lecture ?? null),
    series: (row.series ?? []).map(({ titre }) => {
      const [, name = titre, numero = ''] = /^(.*\S)\s*\(([^()]*)\)$/s.exec(titre) ?? [];
      return { titre: name, numero: numero || null };
    }),
  };
}

/** Open Library's older form names neither title nor ISBN. */
export function namedOnly(row: RawRow, cell: Cell): RawRow {
  if (row.titre !== '' || row.isbns?.length !== 0) return row;
  const work = cell('work id');
  return noLivre(
    `seul le numéro d’Open Library est donné (${work}) : ni titre ni ISBN`, // cspell:disable-line
  );
}

/** BookBuddy: a subtitle beside the title, and books that are not there any more. */
export const bookBuddyDetails = (row: RawRow, cell: Cell): RawRow => ({
  ...row,
  titre: [row.titre, cell('subtitle')].filter((text) => text !== '').join(' : '),
  avertissements: isYes(cell('previously owned')) ? ['noté comme sorti de la bibliothèque'] : [],
});

const noLivre = (refus: string): RawRow => ({ titre: '', auteurs: [], refus });
