import { invertNom, isDoubtful } from '#shared/nom-inverse';
import { objectKeys } from '#shared/object-keys';
import { normaliser, partsOf } from '#shared/text';
import { rawLectures } from '../lectures.ts';
import type { Lecture, RawRow } from '../row.ts';
import { seriesByTome } from '../series-in-titles.ts';
import { bare, isYes } from '../values.ts';
import type { Cell, TableFormat } from './table-format.ts';

type Field = keyof TableFormat['columns'];

/**
 * A row of a program's table as a record.
 *
 * @param single reads what a file may lack: nothing where several columns have the name
 */
export function readTableRow(format: TableFormat, cell: Cell, single: Cell = cell): RawRow {
  const { columns, lists = {}, isNomPrenom, titre = seriesByTome, quirk } = format;
  const nom = isNomPrenom ? givenNameFirst : format.nom;
  const valuesOf = (field: Field): string[] => {
    const headers = columns[field] ?? [];
    return (typeof headers === 'string' ? [headers] : headers).flatMap((header) => {
      const separator = lists[header];
      return separator === undefined ? cell(header) || [] : partsOf(cell(header), separator);
    });
  };
  const first = (field: Field): string => valuesOf(field)[0] ?? '';
  const told = titre(first('titre'));
  const numeros = valuesOf('numero').map((numero) => bare(numero).replace(/[.,]0+$/, ''));
  const series = valuesOf('serie').map((serie, index) => ({
    titre: serie,
    numero: numeros[index] || null,
  }));
  const emprunteur = first('emprunteur');
  const auteurs = valuesOf('auteurs');
  const row: RawRow = {
    titre: told.titre,
    auteurs: nom === undefined ? auteurs : auteurs.map(nom),
    ...(isNomPrenom && { auteursEcrits: auteurs }),
    isbns: valuesOf('isbn').sort(longestFirst),
    editeur: first('editeur'),
    annee: first('annee'),
    nombrePages: first('nombrePages'),
    isNumerique: isEbook(first('format')),
    lecture: lectureOf(valuesOf),
    lectures: rawLectures(single),
    series: series.length > 0 ? series : told.series,
    emplacement: first('emplacement'),
    pret: emprunteur === '' ? null : { emprunteur, date: first('datePret') },
  };
  return quirk === undefined ? row : quirk(row, cell);
}

/** « Camus Albert » in reading order; a doubtful one as it is, to be shown to its person. */
const givenNameFirst = (nom: string): string => (isDoubtful(nom) ? nom : invertNom(nom));

/** Of an ISBN-10 and an ISBN-13 that contradict each other the newer one counts. */
const longestFirst = (a: string, b: string): number =>
  b.replace(/\D/g, '').length - a.replace(/\D/g, '').length;

/** A wish list counts before a state of reading, and a state before dates. */
function lectureOf(valuesOf: (field: Field) => string[]): Lecture | null {
  const isWish = (text: string) => isYes(text) || readLecture(text) === 'souhait';
  if (valuesOf('souhait').some(isWish)) return 'souhait';
  const lecture = readLecture(...valuesOf('statut'));
  if (lecture !== null) return lecture;
  if (valuesOf('lu').length > 0) return 'lu';
  return valuesOf('enCours').length > 0 ? 'enCours' : null;
}

/** The first of the reading states that one of these texts names; `null` where none does. */
export function readLecture(...texts: readonly string[]): Lecture | null {
  for (const text of texts) {
    const found = LECTURES.get(normaliser(text));
    if (found !== undefined) return found;
  }
  return null;
}

// cspell:disable -- words that other programs write
const WORDS: Readonly<Record<Lecture, readonly string[]>> = {
  lu: ['read', 'lu', 'lus', 'completed', 'finished', 'termine', 'read but unowned'],
  enCours: ['currently reading', 'reading', 'en cours', 'in progress', 'en cours de lecture'],
  aLire: ['to read', 'a lire', 'want to read', 'not begun', 'unread', 'tbr', 'non lu'],
  souhait: ['wishlist', 'wish list', 'wish', 'pense bete', 'envies', 'souhaits', 'a acheter'],
  abandoned: ['did not finish', 'dnf', 'abandoned', 'abandonne', 'stopped reading', 'stopped'],
};

/** Whether a binding or format is that of an ebook. */
const isEbook = (binding: string): boolean =>
  /kindle|e-?book|\bnook\b|epub|\bpdf\b|num[ée]rique|^digital$/i.test(binding);
// cspell:enable

const LECTURES: ReadonlyMap<string, Lecture> = new Map(
  objectKeys(WORDS).flatMap((lecture) =>
    WORDS[lecture].map((word): [string, Lecture] => [word, lecture]),
  ),
);
