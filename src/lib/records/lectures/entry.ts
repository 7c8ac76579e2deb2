import { now } from '$lib/format/clock.svelte';
import { dayOf } from '$lib/format/days';
import { formatPartialDate } from '$lib/format/partial-date';
import { parseReadingDate } from '$lib/format/reading-date';
import { m } from '$lib/paraglide/messages';
import { ISBN_FIELD } from '$lib/ui/form/isbn-field';
import {
  joinTokens,
  splitTokens,
  TextEntry,
  type FieldDescription,
} from '$lib/ui/form/text-entry.svelte';
import { textField } from '$lib/ui/form/text-field';
import { titreField } from '$lib/ui/form/titre-field';
import { MAX_LENGTHS } from '#shared/fields';
import { formatIsbn } from '#shared/isbn-format';
import { isAfter, type Lecture, type LectureSaisie } from '#shared/lectures';
import { noteLabel } from './labels.ts';

type Field = FieldDescription<Lecture, LectureSaisie>;

const isoOf = (text: string): string | null => parseReadingDate(text, now()) ?? null;

/** A day, a month or a year, shown and typed in words. */
const dateField = (key: 'debut' | 'fin', label: () => string): Field => ({
  key,
  label,
  maxlength: 40,
  read: (lecture) => formatPartialDate(lecture[key] ?? ''),
  write: (text) => ({ [key]: isoOf(text) }),
  display: (text) => formatPartialDate(isoOf(text) ?? text.trim()),
  check(text) {
    const date = parseReadingDate(text, now());
    if (date === undefined) return m.lecture_date_unreadable();
    return date !== null && isAfter(date, dayOf(now())) ? m.lecture_date_future() : undefined;
  },
  tell: formatPartialDate,
});

const ABANDONNEE = '1';

/** What is noted of a reading, whatever was read. */
const NOTATION_FIELDS: readonly Field[] = [
  dateField('debut', m.field_debut),
  dateField('fin', m.field_fin),
  {
    key: 'note',
    label: m.field_note_lecture,
    read: ({ note }) => String(note ?? ''),
    write: (text) => ({ note: text === '' ? null : Number(text) }),
    display: (text) => (text === '' ? '' : noteLabel(Number(text))),
    tell: (text) => noteLabel(Number(text)),
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
    tell: (text) => (text === ABANDONNEE ? m.lecture_not_finished() : m.lecture_to_the_end()),
  },
  textField('avis', { label: m.field_avis, rows: 4, maxlength: MAX_LENGTHS.freeText }),
];

/** What was read, of a book that is not of the house. */
const OEUVRE_FIELDS: readonly Field[] = [
  titreField(m.livre_titre_required),
  {
    key: 'auteurs',
    label: m.field_auteurs,
    tokens: true,
    read: ({ auteurs }) => joinTokens(auteurs),
    write: (text) => ({ auteurs: splitTokens(text) }),
    display: (text) => splitTokens(text).join(', '),
    tell: (text) => text.replace(/^\["|"\]$/g, '').replaceAll('","', ', '),
  },
  { ...ISBN_FIELD, read: ({ isbn }) => (isbn === null ? '' : formatIsbn(isbn)) },
];

/** All that the history tells of a reading. */
export const LECTURE_FIELDS: readonly Field[] = [...OEUVRE_FIELDS, ...NOTATION_FIELDS];

/** What is typed of a reading: of a book of the house only what is noted, of another its name too. */
export class LectureEntry extends TextEntry<Lecture, LectureSaisie> {
  /** @param livreId the book of a new reading, `null` for one that is not of the house */
  constructor(lecture: Lecture | null, livreId = lecture?.livreId ?? null) {
    const fields = livreId === null ? LECTURE_FIELDS : NOTATION_FIELDS;
    super(fields, lecture, livreId === null ? {} : { livreId });
  }

  /** Whether the book is not of the house: it is named too. */
  get isElsewhere(): boolean {
    return this.hasField('titre');
  }

  override check(): boolean {
    const isRight = super.check();
    const [debut, fin] = [isoOf(this.text('debut')), isoOf(this.text('fin'))];
    if (!isRight || debut === null || fin === null || !isAfter(debut, fin)) return isRight;
    this.errors = { fin: m.lecture_fin_first() };
    return false;
  }
}
