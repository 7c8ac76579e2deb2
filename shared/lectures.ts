import { Type, type Static } from 'typebox';
import { endpoint, onRecord } from './endpoint.ts';
import {
  Day,
  Id,
  Isbn,
  MAX_LENGTHS,
  nullable,
  optionalText,
  optionalTexts,
  text,
} from './fields.ts';
import { MAX_AUTEURS, MAX_NOMBRE_PAGES } from './livres.ts';
import { isIsoDate } from './days.ts';

/** The state of a reading, derived from its other fields (docs/rules.md § 55). */
const LECTURE_STATUTS = ['EnCours', 'Lue', 'Abandonnee'] as const;

/** A day, a month or a year of ISO 8601. */
const PartialDate = Type.String({ maxLength: 10, format: 'partial-date' });

/** Half stars, from 1 to 10. */
const Note = Type.Integer({ minimum: 1, maximum: 10 });
export const MAX_NOTE = 10;

const Page = Type.Integer({ minimum: 1, maximum: MAX_NOMBRE_PAGES });
const Pourcent = Type.Integer({ minimum: 0, maximum: 100 });

const readingFields = {
  debut: nullable(PartialDate),
  fin: nullable(PartialDate),
  abandon: Type.Boolean(),
  note: nullable(Note),
  /** The reader's own text, with its line breaks. */
  avis: nullable(Type.String({ maxLength: MAX_LENGTHS.freeText })),
  /** The position of an open or abandoned reading: a page or a percentage, never both. */
  page: nullable(Page),
  pourcent: nullable(Pourcent),
  /** The day of which that is; `null` where it is not known. */
  pageJour: nullable(Day),
};

const auteurs = Type.Array(Type.String({ minLength: 1, maxLength: MAX_LENGTHS.nom }), {
  maxItems: MAX_AUTEURS,
});

/**
 * A reading of a book, personal to its reader (docs/rules.md § 55). While the household has the book, title, authors
 * and ISBN are the book's; `livreId` is `null` without it.
 */
export const Lecture = Type.Object({
  id: Id,
  livreId: nullable(Id),
  titre: text(MAX_LENGTHS.titre),
  auteurs,
  isbn: nullable(Isbn),
  ...readingFields,
  statut: Type.Enum([...LECTURE_STATUTS], { type: 'string' }),
});
export type Lecture = Static<typeof Lecture>;

/** `livreId`, or title and authors of a book that the household does not have. */
export const LectureSaisie = Type.Object({
  livreId: Type.Optional(nullable(Id)),
  titre: optionalText(MAX_LENGTHS.titre),
  auteurs: optionalTexts(MAX_LENGTHS.nom, MAX_AUTEURS),
  isbn: optionalText(MAX_LENGTHS.code),
  debut: optionalText(10),
  fin: optionalText(10),
  abandon: Type.Optional(nullable(Type.Boolean())),
  note: Type.Optional(nullable(Note)),
  avis: optionalText(MAX_LENGTHS.freeText),
  page: Type.Optional(nullable(Page)),
  pourcent: Type.Optional(nullable(Pourcent)),
  pageJour: optionalText(10),
});
export type LectureSaisie = Static<typeof LectureSaisie>;

/** The position in a book, with its day. */
export type Position = Pick<Lecture, 'page' | 'pourcent' | 'pageJour'>;
export const NO_POSITION: Position = { page: null, pourcent: null, pageJour: null };

export type Notation = Pick<Lecture, 'debut' | 'fin' | 'abandon' | 'note' | 'avis'> & Position;

/** docs/rules.md § 55 */
export function statutOfLecture({
  debut,
  fin,
  abandon,
}: Pick<Notation, 'debut' | 'fin' | 'abandon'>): Lecture['statut'] {
  if (abandon) return 'Abandonnee';
  return debut !== null && fin === null ? 'EnCours' : 'Lue';
}

export const dateOfLecture = ({ debut, fin }: Pick<Notation, 'debut' | 'fin'>): string | null =>
  fin ?? debut;

type DatedLecture = Pick<Lecture, 'id' | 'debut' | 'fin' | 'statut'>;

/** Open ones first, then by latest end; those without dates last, equal ones by id (docs/rules.md § 55). */
export function compareLectures(a: DatedLecture, b: DatedLecture): number {
  const rank = ({ statut }: DatedLecture) => (statut === 'EnCours' ? 0 : 1);
  const [dateA, dateB] = [dateOfLecture(a) ?? '', dateOfLecture(b) ?? ''];
  return rank(a) - rank(b) || (dateA < dateB ? 1 : dateA > dateB ? -1 : a.id - b.id);
}

/** The fault of a reading's day, month or year: invalid or in the future; else `null`. */
export function lectureDateError(
  date: string,
  today: string,
): 'JOUR_MOIS_ANNEE' | 'A_VENIR' | null {
  if (!isIsoDate(date) || date.startsWith('0000')) return 'JOUR_MOIS_ANNEE';
  return isAfter(date, today) ? 'A_VENIR' : null;
}

/** Whether a date is after another one, as far as both are known: March 2019 is not after 12 March 2019. */
export function isAfter(date: string, other: string): boolean {
  const length = Math.min(date.length, other.length);
  return date.slice(0, length) > other.slice(0, length);
}

/** A reader's rating of a book over all readings. */
export interface LuParMoi {
  /** The best rating, in half stars. */
  readonly note: number | null;
  /** When it was last read to the end; `null` without a date. */
  readonly fin: string | null;
}

/** By book. */
export type LusParMoi = ReadonlyMap<number, LuParMoi>;

/** The best rating and the latest end of one book's readings; an abandoned reading has no end. */
export function luParMoi(lectures: Iterable<Pick<Lecture, 'note' | 'fin' | 'abandon'>>): LuParMoi {
  let note: number | null = null;
  let fin: string | null = null;
  for (const lecture of lectures) {
    if (lecture.note !== null && lecture.note > (note ?? 0)) note = lecture.note;
    if (!lecture.abandon && lecture.fin !== null && lecture.fin > (fin ?? '')) fin = lecture.fin;
  }
  return { note, fin };
}

/** For every book of the household that was read. */
export function lusParMoi(
  lectures: Iterable<Pick<Lecture, 'livreId' | 'note' | 'fin' | 'abandon'>>,
): LusParMoi {
  const byLivre = Map.groupBy(lectures, ({ livreId }) => livreId ?? 0);
  byLivre.delete(0);
  return new Map(Array.from(byLivre, ([livreId, some]) => [livreId, luParMoi(some)]));
}

export const listerLectures = endpoint({
  method: 'GET',
  path: '/api/lectures',
  summary:
    'Les lectures de la personne qui appelle : celles en cours, puis les dernières finies, puis celles sans date.',
  query: Type.Object({
    livre: Type.Optional(Id),
    /** The year of its end, else of its beginning. */
    annee: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999 })),
    limite: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  response: Type.Array(Lecture),
});

export const lireLecture = endpoint({
  ...onRecord('lectures'),
  method: 'GET',
  summary: 'Une lecture de la personne qui appelle.',
  response: Lecture,
});

export const ajouterLecture = endpoint({
  method: 'POST',
  path: '/api/lectures',
  record: { collection: 'lectures' },
  modification: { operation: 'ajouterLecture', message: 'lectureNotee' },
  summary: 'Note une lecture, d’un livre de la bibliothèque ou d’un autre.',
  body: LectureSaisie,
  response: Lecture,
  status: 201,
});

export const modifierLecture = endpoint({
  ...onRecord('lectures'),
  method: 'PUT',
  modification: { operation: 'modifierLecture', message: 'lectureModifiee' },
  summary: 'Récrit une lecture.',
  body: LectureSaisie,
  response: Lecture,
});

export const supprimerLecture = endpoint({
  ...onRecord('lectures'),
  method: 'DELETE',
  modification: { operation: 'supprimerLecture', message: 'lectureRetiree' },
  summary: 'Retire une lecture.',
});
