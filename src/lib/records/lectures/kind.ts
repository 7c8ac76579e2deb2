import { parseReadingDate } from '$lib/format/reading-date';
import BookCheck from '@lucide/svelte/icons/book-check';
import { operation } from '$lib/api/write.svelte';
import { href } from '$lib/format/address';
import { dayOf, now } from '$lib/format/dates';
import { formatPartialDate } from '$lib/format/partial-date';
import { m } from '$lib/paraglide/messages';
import { ISBN_FIELD, textField, titreField } from '$lib/ui/form/fields';
import {
  type FieldDescription,
  joinTokens,
  splitTokens,
  TextEntry,
} from '$lib/ui/form/text-entry.svelte';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import { MAX_LENGTHS } from '#shared/fields';
import { formatIsbn } from '#shared/isbn-format';
import * as endpoints from '#shared/lectures';
import {
  isAfter,
  NO_POSITION,
  type Lecture,
  type LectureSaisie,
  type Position,
} from '#shared/lectures';
import { AUTEURS_FIELD } from '../auteurs/kind.ts';
import { livresView } from '../livres/view.svelte.ts';
import { rewrite } from '../rewrite.ts';
import { lecturesView, noteLabel, positionLabel } from './view.svelte.ts';

type Field = FieldDescription<Lecture, LectureSaisie>;

/** The day, month or year that is typed; `null` for none. */
export const readingDay = (text: string): string | null => parseReadingDate(text, now()) ?? null;

/** The error of a typed date. */
export function readingDateFault(text: string): string | undefined {
  const date = parseReadingDate(text, now());
  if (date === undefined) return m.lecture_date_unreadable();
  return date !== null && isAfter(date, dayOf(now())) ? m.lecture_date_future() : undefined;
}

/** A day, a month or a year, shown and typed in words. */
const dateField = (key: 'debut' | 'fin', label: () => string): Field => ({
  key,
  label,
  maxlength: 40,
  read: (lecture) => formatPartialDate(lecture[key] ?? ''),
  write: (text) => ({ [key]: readingDay(text) }),
  display: (text) => formatPartialDate(readingDay(text) ?? text.trim()),
  check: readingDateFault,
  format: formatPartialDate,
});

/** The position as typed: « 120 », « 35 % ». */
const positionText = ({ page, pourcent }: Pick<Lecture, 'page' | 'pourcent'>): string =>
  page === null ? (positionLabel({ page, pourcent }, null) ?? '') : String(page);

/** « 120 », « p. 120 », « 35 % »; `undefined` for an invalid position. */
function readPosition(typed: string): Pick<Lecture, 'page' | 'pourcent'> | undefined {
  const text = typed.trim();
  if (text === '') return NO_POSITION;
  const [, digits = '', percent] = /^(?:p\.?\s*)?(\d{1,7})\s*(%)?$/iu.exec(text) ?? [];
  const number = Number(digits);
  if (digits === '' || (percent === undefined ? number < 1 : number > 100)) return undefined;
  return percent === undefined
    ? { page: number, pourcent: null }
    : { page: null, pourcent: number };
}

/** A typed position, with the device's day. */
export function positionSaisie(text: string): Position {
  const { page, pourcent } = readPosition(text) ?? NO_POSITION;
  return { page, pourcent, pageJour: page === null && pourcent === null ? null : dayOf(now()) };
}

/** The error of a typed position. */
export function positionFault(text: string, nombrePages: number | null): string | undefined {
  const position = readPosition(text);
  if (position === undefined) return m.page_unreadable();
  return nombrePages !== null && (position.page ?? 0) > nombrePages
    ? m.page_beyond({ count: nombrePages })
    : undefined;
}

const ABANDONNEE = '1';

const NOTATION_FIELDS: readonly Field[] = [
  dateField('debut', m.field_debut),
  dateField('fin', m.field_fin),
  {
    key: 'page',
    label: m.field_page,
    hint: m.page_hint,
    maxlength: 12,
    half: true,
    read: positionText,
    // The service keeps the day of an unchanged page.
    write: (text) => ({ ...(readPosition(text) ?? NO_POSITION), pageJour: null }),
    display: (text) => positionLabel(readPosition(text) ?? NO_POSITION, null) ?? '',
    check: (text) => positionFault(text, null),
  },
  {
    key: 'note',
    label: m.field_note_lecture,
    read: ({ note }) => String(note ?? ''),
    write: (text) => ({ note: text === '' ? null : Number(text) }),
    display: (text) => (text === '' ? '' : noteLabel(Number(text))),
    format: (text) => noteLabel(Number(text)),
  },
  {
    key: 'abandon',
    label: m.field_abandon,
    options: [
      { value: '', label: m.lecture_to_the_end },
      { value: ABANDONNEE, label: m.lecture_not_finished },
    ],
    read: ({ abandon }) => (abandon ? ABANDONNEE : ''),
    write: (text) => ({ abandon: text === ABANDONNEE }),
    format: (text) => (text === ABANDONNEE ? m.lecture_not_finished() : m.lecture_to_the_end()),
  },
  textField('avis', { label: m.field_avis, rows: 4, maxlength: MAX_LENGTHS.freeText }),
];

/** For a book outside the household. */
const OEUVRE_FIELDS: readonly Field[] = [
  titreField(m.livre_titre_required),
  {
    ...AUTEURS_FIELD,
    key: 'auteurs',
    read: ({ auteurs }) => joinTokens(auteurs),
    write: (text) => ({ auteurs: splitTokens(text) }),
    display: (text) => splitTokens(text).join(', '),
    format: (text) => text.replace(/^\["|"\]$/g, '').replaceAll('","', ', '),
  },
  { ...ISBN_FIELD, read: ({ isbn }) => (isbn === null ? '' : formatIsbn(isbn)) },
];

const LECTURE_FIELDS: readonly Field[] = [...OEUVRE_FIELDS, ...NOTATION_FIELDS];

/** The form of a reading: for a household's book without title and authors. */
export class LectureEntry extends TextEntry<Lecture, LectureSaisie> {
  readonly #nombrePages: number | null;
  readonly #position: string;

  /** @param livreId the book of a new reading, `null` for one outside the household */
  constructor(lecture: Lecture | null, livreId = lecture?.livreId ?? null) {
    const fields = livreId === null ? LECTURE_FIELDS : NOTATION_FIELDS;
    super(fields, lecture, livreId === null ? {} : { livreId });
    this.#nombrePages = livresView.get(livreId ?? 0)?.nombrePages ?? null;
    this.#position = lecture === null ? '' : positionText(lecture);
  }

  /** A page that is new has the device's day. */
  override toSaisie(): LectureSaisie {
    return { ...super.toSaisie(), ...this.#newPosition() };
  }

  #newPosition(): Partial<Position> {
    const text = this.text('page');
    return text.trim() === this.#position ? {} : positionSaisie(text);
  }

  get isElsewhere(): boolean {
    return this.hasField('titre');
  }

  /** Only the fields typed by a person. */
  get written(): Partial<LectureSaisie> {
    return this.fields
      .filter(({ key }) => this.isWritten(key))
      .reduce((saisie, { key, write }) => ({ ...saisie, ...write(this.text(key)) }), {
        ...this.#newPosition(),
      });
  }

  override check(): boolean {
    const isRight = super.check();
    const beyond = positionFault(this.text('page'), this.#nombrePages);
    if (isRight && beyond !== undefined) {
      this.errors = { page: beyond };
      return false;
    }
    const [debut, fin] = [readingDay(this.text('debut')), readingDay(this.text('fin'))];
    if (!isRight || debut === null || fin === null || !isAfter(debut, fin)) return isRight;
    this.errors = { fin: m.lecture_fin_first() };
    return false;
  }
}

export const ajouterLecture = operation(endpoints.ajouterLecture);
const modifierLecture = operation(endpoints.modifierLecture);
const supprimerLecture = operation(endpoints.supprimerLecture);

/** Other fields stay as on the server, which may be newer than this replica (docs/rules.md § 29). */
export const noterLecture = (
  lectureId: number,
  fields: Partial<LectureSaisie>,
): Promise<Lecture | null> =>
  rewrite(
    { collection: 'lectures', get: lecturesView.get, put: modifierLecture },
    lectureId,
    ({ id: _, statut: __, ...saisie }) => ({ ...saisie, ...fields }),
  );

export const lectures: EditableKind<Lecture, LectureEntry> & ScreenKind<Lecture> = {
  collection: 'lectures',
  label: m.kind_lecture,
  fields: LECTURE_FIELDS,
  historyFields: [
    {
      key: 'pourcent',
      label: m.field_pourcent,
      format: (percent) => m.page_percent({ percent }),
    },
  ],
  get: (id) => lecturesView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (lecture) => new LectureEntry(lecture),
  ajouter: (entry) => ajouterLecture(entry.toSaisie()),
  modifier: (id, entry, ifMatch) => modifierLecture(id, entry.toSaisie(), { ifMatch }),
  supprimer: ({ id }, ifMatch) => supprimerLecture(id, { ifMatch }),
  hrefOf: ({ id, livreId }) =>
    livreId === null ? href(`/lectures/${id}`) : href(`/livres/${livreId}`),
  listOf: () => ({ href: href('/lectures'), label: m.destination_lectures() }),
  notFound: () => ({
    icon: BookCheck,
    heading: m.lecture_not_found(),
    text: m.lecture_not_found_text(),
    back: { href: href('/lectures'), label: m.back_to_lectures() },
  }),
};
