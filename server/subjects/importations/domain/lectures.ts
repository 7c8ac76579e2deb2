import { decodeHTMLStrict } from 'entities';
import { MAX_LENGTHS } from '#shared/fields';
import { isAfter, lectureDateError, MAX_NOTE, type Notation } from '#shared/lectures';
import { nfc } from '#shared/text';
import { latestDay } from '#server/subjects/lectures/domain/lectures';
import type { Cell } from './formats/table-format.ts';
import type { Lecture, RawLectures } from './row.ts';
import { bare, readCount } from './values.ts';

// cspell:disable -- headers of other programs
/** The columns of what was read, whatever the program; the first that is not empty counts. */
const HEADERS = {
  dates: [
    'lectures',
    'dates read',
    'date read',
    'last date read',
    'finish_date',
    'completed',
    'read_end',
    'date finished',
    'lu le',
  ],
  debut: ['date started', 'start_date', 'began', 'read_start', 'commencé le'],
  abandon: ['stopped_date'],
  note: ['my rating', 'star rating', 'rating', 'étoiles', 'note'],
  count: ['read count'],
  avis: ['my review', 'review', 'review_content', 'critique', 'mon mot'],
  notes: ['private notes', 'private comment', 'notes'],
} as const;
// cspell:enable

/** What a row of a table says of readings; `null` for nothing. */
export function rawLectures(cell: Cell): RawLectures | null {
  const first = (headers: readonly string[]) =>
    headers.map((header) => cell(header)).find((text) => bare(text) !== '') ?? '';
  const raw = {
    dates: first(HEADERS.dates),
    debut: first(HEADERS.debut),
    abandon: first(HEADERS.abandon),
    note: first(HEADERS.note),
    count: first(HEADERS.count),
    avis: first(HEADERS.avis),
    notes: first(HEADERS.notes),
  };
  return Object.values(raw).some((value) => value !== '') ? raw : null;
}

/** More readings of one book are no number of readings. */
const MAX_READINGS = 50;

/**
 * The readings of a row, the earliest first: one a date, as many without a date as it was read besides, and the rating
 * and the text on the last of them (docs/rules.md § 55).
 *
 * @param etat what the file says of reading: a book that was given up has a reading, one that is read none by itself
 */
export function cleanLectures(
  raw: RawLectures | null,
  etat: Lecture | null,
  warn: Warn,
): Notation[] {
  if (raw === null) return etat === 'abandoned' ? [{ ...NOTHING, abandon: true }] : [];
  const note = readNote(raw.note);
  const avis = cleanAvis([raw.avis, raw.notes], warn);
  const spans = readSpans(raw, etat, warn);
  const times = Math.min(readCount(raw.count) ?? 0, MAX_READINGS);
  // Read once without a date is what the status says.
  const undated = Math.max(0, times - Math.max(spans.length, 1));
  // A rating and a review are of a book that was read; notes may be of one that is not.
  const isTold = note !== null || undated > 0 || cleanAvis([raw.avis], quiet) !== null;
  const isRead = etat === 'lu' && avis !== null;
  if (spans.length === 0 && (etat === 'abandoned' || isTold || isRead)) spans.push(BLANK);
  const lectures = [...Array.from({ length: undated }, () => BLANK), ...spans].map(
    (span): Notation => ({ ...NOTHING, ...span }),
  );
  const last = lectures.pop();
  if (last === undefined && avis !== null)
    warn('note personnelle d’un livre pas encore lu, laissée de côté');
  if (last === undefined) return [];
  const isGivenUp = bare(raw.abandon) !== '' && bare(raw.dates) === '';
  return [...lectures, { ...last, abandon: etat === 'abandoned' || isGivenUp, note, avis }];
}

type Span = Pick<Notation, 'debut' | 'fin'>;
const BLANK: Span = { debut: null, fin: null };
const NOTHING: Notation = { ...BLANK, abandon: false, note: null, avis: null };

type Warn = (sentence: string) => null;
const quiet: Warn = () => null;

function readSpans(raw: RawLectures, etat: Lecture | null, warn: Warn): Span[] {
  const begun = readPartialDate(raw.debut);
  const ended = readPartialDate(raw.abandon);
  // One piece more than counts, as a text of separators may have a million of them.
  const pieces = raw.dates.split(/[,;]/, MAX_READINGS + 1);
  const read = pieces.slice(0, MAX_READINGS).map((text) => ({ text, span: spanOf(text) }));
  const unreadable = read.find(({ text, span }) => span === null && /[1-9#]/.test(text));
  if (unreadable !== undefined)
    warn(`date de lecture illisible, laissée de côté : ${bare(unreadable.text).slice(0, 40)}`);
  if (pieces.length > MAX_READINGS)
    warn(`plus de ${String(MAX_READINGS)} dates de lecture, les autres laissées de côté`);
  const spans = read.flatMap(({ span }) => span ?? []);
  const sorted = spans.sort((a, b) => ((a.fin ?? '') < (b.fin ?? '') ? -1 : 1));
  const last = sorted.at(-1);
  if (last === undefined)
    return ended !== null || (begun !== null && etat !== 'lu' && etat !== 'aLire')
      ? [inOrder(begun, ended)]
      : [];
  return last.debut === null ? [...sorted.slice(0, -1), inOrder(begun, last.fin)] : sorted;
}

/** « 2021/01/03-2021/01/10 » of StoryGraph, « 2019-03-01/2019-03-12 » of our own, or one date. */
function spanOf(text: string): Span | null {
  const value = bare(text);
  const separator = /^\d{4}-\d\d(?:-\d\d)?\/|^\d{4}\/\d{4}$|\/$|^\//.test(value)
    ? '/'
    : /\s*[-–—]\s*(?=\d{4}[/.]|\d{1,2}[/.]\d{1,2}[/.]|$)/;
  const [first = '', second] = value.split(separator);
  if (second === undefined) {
    const fin = readPartialDate(first);
    return fin === null ? null : { debut: null, fin };
  }
  const span = inOrder(readPartialDate(first), readPartialDate(second));
  return span.debut === null && span.fin === null ? null : span;
}

/** A beginning after the end is none. */
const inOrder = (debut: string | null, fin: string | null): Span => ({
  debut: debut !== null && fin !== null && isAfter(debut, fin) ? null : debut,
  fin,
});

/** A day, a month or a year, year first or day first; `null` for none, and for one to come. */
export function readPartialDate(text: string): string | null {
  const value = bare(text);
  const [, y1, m1, d1] = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)/.exec(value) ?? [];
  const [, d2, m2, y2] = /^(?:(\d{1,2})[-/.])?(\d{1,2})[-/.](\d{4})(?!\d)/.exec(value) ?? [];
  const [year, month, day] = y1 === undefined ? [y2, m2, d2] : [y1, m1, d1];
  if (year === undefined || year === '0000') return null;
  const parts = [month, day].filter((part) => part !== undefined && Number(part) > 0);
  const date = [year, ...parts.map((part) => part?.padStart(2, '0'))].join('-');
  return lectureDateError(date, latestDay()) === null ? date : null;
}

/** Half stars of a rating of five, quarters to the nearest half; `null` for 0 and for what is none. */
export function readNote(text: string): number | null {
  const [, value] = /^(\d{1,2}(?:[.,]\d{1,6})?)(?:\s*\/\s*5)?$/.exec(bare(text)) ?? [];
  const note = Math.round(Number((value ?? '0').replace(',', '.')) * 2);
  return note >= 1 && note <= MAX_NOTE ? note : null;
}

/** The texts of a reader, apart by a blank line; programs write line breaks as HTML. */
function cleanAvis(texts: readonly string[], warn: Warn): string | null {
  const clean = texts
    .map((text) => text.replace(/\r\n?/g, '\n').replace(/<br\s*\/?>|<\/p>/gi, '\n'))
    .map((text) => decodeHTMLStrict(text.replace(/<\/?[a-z][^<>]*>/gi, '')).toWellFormed())
    .map((text) => nfc(text.replace(/[^\P{Cc}\n]+/gu, ' ').trim()))
    .filter((text) => text !== '')
    .join('\n\n');
  const characters = Array.from(clean);
  if (characters.length > MAX_LENGTHS.freeText) warn('critique trop longue, coupée');
  return characters.slice(0, MAX_LENGTHS.freeText).join('').trim() || null;
}
