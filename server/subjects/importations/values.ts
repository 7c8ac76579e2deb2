import { decodeHTMLStrict } from 'entities';
import { isbnAsWritten, otherCodeOf, type OtherCode } from '#shared/isbn';
import { lectureDateError, MAX_NOTE } from '#shared/lectures';
import { MAX_NOMBRE_PAGES } from '#shared/livres';
import { objectKeys } from '#shared/object-keys';
import { localDay } from '#shared/days';
import { nfc, normaliser, partsOf, shortened } from '#shared/text';
import { latestDay } from '#server/subjects/lectures';
import {
  raison,
  messageOf,
  type Raison,
  type RaisonMessage,
} from '#server/plumbing/common/raisons';

/** The reading state in a file; `souhait` is a wish whatever the choice for « to-read ». */
export type EtatLecture = 'lu' | 'enCours' | 'aLire' | 'souhait' | 'abandon';

/** Strips what programs put around a value: `="978…"`, brackets, quotes, blanks. */
export function bare(text: string): string {
  const value = text.trim();
  const unquoted = value.startsWith('=') ? withoutQuotes(value.slice(1)) : value;
  const isInBrackets = unquoted.length > 1 && unquoted.startsWith('[') && unquoted.endsWith(']');
  return (isInBrackets ? unquoted.slice(1, -1) : unquoted).trim();
}

function withoutQuotes(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '"') start++;
  while (end > start && text[end - 1] === '"') end--;
  return text.slice(start, end);
}

/** « &eacute; », « &#x27; », also « &eacute, » and « &#x0308, » where a program has replaced each semicolon. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? decodeHTMLStrict(text.replace(/&(?:#x?[\da-f]+|[a-z]+\d*),/gi, withSemicolon))
    : text;

function withSemicolon(text: string): string {
  const entity = `${text.slice(0, -1)};`;
  return decodeHTMLStrict(entity) === entity ? text : entity;
}

export const isYes = (text: string): boolean =>
  // cspell:disable-next-line -- words that other programs write
  /^(?:1|true|yes|y|oui|o|vrai|x|[✓✔☑✅])$/iu.test(text.trim());

/** Whether a cell is empty, or means no. */
export const isNothing = (text: string): boolean =>
  /^(?:0(?:[.,]0+)?|false|no|non|faux|-)?$/i.test(bare(text));

/** Spellings of an unknown year, day or page count. */
const UNKNOWN = /^(?:s ?d|n ?d|n ?a|sans date|no date|(?:date )?inconnue?|unknown|none|null|nan)$/;

/** Whether an unreadable number or day was meant as a value. */
export const saysSomething = (text: string): boolean =>
  /[\p{L}1-9#]/u.test(text) && !isNothing(text) && !UNKNOWN.test(normaliser(text));

interface IsbnOfCells {
  readonly isbn: string | null;
  readonly avertissements: readonly Raison[];
}

/** The first valid ISBN of a record; an invalid one is reported and never guessed. */
export function readIsbns(texts: readonly string[]): IsbnOfCells {
  const given = [...new Set(texts.map(bareIsbn).filter((text) => text !== '' && text !== '0'))];
  const read = given.map((text) => ({ text, isbns: isbnsOf(text) }));
  const valid = [...new Set(read.flatMap(({ isbns }) => isbns))];
  const [isbn = null] = valid;
  const avertissements = read
    .filter(({ isbns }) => isbns.length === 0)
    .map(({ text }) => falseIsbn(text));
  if (valid.length > 1)
    avertissements.push(raison('isbnSeContredisent', { isbns: together(valid) }));
  return { isbn, avertissements };
}

const bareIsbn = (text: string): string => bare(text).replace(/^(\d{9,13})[.,]0+$/, '$1');

/** The ISBNs of a cell, which may have several; none if one is invalid. */
function isbnsOf(text: string): string[] {
  const whole = isbnAsWritten(text);
  if (whole !== null) return [whole];
  const parts = text.split(/[;,|/\n]/, 10);
  if (parts.length === 1) return [];
  const isbns = parts.map(isbnAsWritten);
  return isbns.every((isbn) => isbn !== null) ? isbns : [];
}

const together = (texts: readonly string[]): string | RaisonMessage =>
  texts
    .slice(1)
    .reduce<string | RaisonMessage>(
      (one, other) => messageOf(raison('et', { one, other })),
      texts[0] ?? '',
    );

const OTHER_CODES = {
  musique: 'codeMusique',
  produit: 'codeProduit',
  magazine: 'codeMagazine',
} as const satisfies Readonly<Record<OtherCode, string>>;

function falseIsbn(text: string): Raison {
  const dit = shortened(text, 40);
  if (/^\d([.,]\d+)?E\+?\d+$/i.test(text)) return raison('isbnAbime', { dit });
  const other = otherCodeOf(text);
  return raison(other === null ? 'pasIsbn' : OTHER_CODES[other], { dit });
}

/** The year of a date in any form; `null` for none, and for 0000. */
export function readAnnee(text: string): number | null {
  const value = bare(text);
  if (/^-\d{1,4}$/.test(value)) return Number(value);
  const [, year] = /(?<!\d)(\d{4})(?!\d)/.exec(value) ?? /^(\d{1,3})$/.exec(value) ?? [];
  const annee = Number(year ?? 0);
  return annee === 0 ? null : annee;
}

/** « 320 p. », « xii-320 p. : ill. » and « 214-XII p. », with any blanks; `null` for 0 and without a count. */
export function readCount(text: string): number | null {
  const value = bare(text).replace(/[\s\u00a0\u202f]|(?<=^\d)[.,](?=\d{3}(?!\d))/g, '');
  const [, whole] =
    /^(\d{1,7})(?:[.,]0+)?$/.exec(value) ??
    /(?<!\d)(\d{1,7})(?:[-–+,][ivxlc]{1,8})?(?:p|pp|pages?)(?!\p{L})/iu.exec(value) ??
    [];
  return whole === undefined || Number(whole) === 0 ? null : Number(whole);
}

/** The contents of a column of publishers. */
export interface Publication {
  readonly editeur: string;
  readonly annee: string;
  readonly nombrePages: string;
  readonly edition: string;
  /** The remaining text: « Broché ». */
  readonly rest: string;
}

// cspell:ignore ivxlc ition
const EDITION_ALONE =
  /^(?:edition:\s*)?(\d{1,3}(?:st|nd|rd|th|re|e|ère|ème)?(?:\s+(?:ed|éd)(?:ition|\.)?)?)$/i;

/** « Seuil (2001), Edition: 2nd, Broché, 214 pages »; a name without these signs is a publisher. */
export function readPublication(text: string): Publication {
  const publication = { editeur: text, annee: '', nombrePages: '', edition: '', rest: '' };
  const [, alone] = EDITION_ALONE.exec(text) ?? [];
  if (alone !== undefined) return { ...publication, editeur: '', edition: alone };
  const [, named = text, annee = ''] = /^([^(]*)\(\D{0,3}(\d{4})\D?\)/.exec(text) ?? [];
  const parts = partsOf(text.slice(annee === '' ? 0 : text.indexOf(')') + 1), ',');
  const found = { annee, nombrePages: '', edition: '' };
  const rest = parts.filter((part) => {
    const [, edition] = /^edition:\s*(\S.*)$/i.exec(part) ?? [];
    if (edition !== undefined) found.edition = edition;
    else if (/^\d{1,6} (?:pages|p\.?)$/i.test(part)) found.nombrePages = part;
    else return true;
    return false;
  });
  if (Object.values(found).every((one) => one === '')) return publication;
  const editeur = annee === '' ? (rest.shift() ?? '') : named.trim();
  return { ...found, editeur, rest: rest.join(', ') };
}

// cspell:disable -- months as people and programs shorten them
const MONTHS: readonly (readonly string[])[] = [
  ['janvier', 'janv', 'jan', 'january'],
  ['fevrier', 'fevr', 'fev', 'feb', 'february'],
  ['mars', 'mar', 'march'],
  ['avril', 'avr', 'apr', 'april'],
  ['mai', 'may'],
  ['juin', 'jun', 'june'],
  ['juillet', 'juil', 'jul', 'july'],
  ['aout', 'aug', 'august'],
  ['septembre', 'sept', 'sep', 'september'],
  ['octobre', 'oct', 'october'],
  ['novembre', 'nov', 'november'],
  ['decembre', 'dec', 'december'],
];
// cspell:enable

/** « 12 mars 2020 », « 1er avr. 2021 », « March 12, 2020 », « mars 2020 »: a day, a month, a day after it, a year. */
const IN_WORDS =
  /(?<![\p{L}\d])(?:(\d{1,2})(?:er|st|nd|rd|th)?[\s-]{1,3})?(\p{L}{3,9})\.?,?(?:[\s-]{1,3}(\d{1,2})(?:st|nd|rd|th)?,?)?[\s-]{1,3}(\d{4})(?!\d)/giu;

/** A text with its dates in words, French or English, in figures: 2020/03/12, 2020/03. */
export const inFigures = (text: string): string =>
  nfc(text).replace(
    IN_WORDS,
    (whole, before: string | undefined, word: string, behind: string | undefined, year: string) => {
      const month = MONTHS.findIndex((names) => names.includes(normaliser(word))) + 1;
      if (month === 0 || (before !== undefined && behind !== undefined)) return whole;
      const day = before ?? behind;
      return [year, String(month), ...(day === undefined ? [] : [day])]
        .map((part) => part.padStart(2, '0'))
        .join('/');
    },
  );

/**
 * The volumes that a spreadsheet turned into a day: « 02-janv », « 2-Jan » and 2026-01-02 may have been 1-2; `null`
 * for no day.
 */
export function tomesMadeDay(text: string): string | null {
  const value = nfc(bare(text));
  const [, day, word] = /^(\d{1,2})[-/. ](\p{L}{3,9})\.?(?:[-/. ]\d{2,4})?$/u.exec(value) ?? [];
  const [, wordFirst, dayBehind] = /^(\p{L}{3,9})\.?[-/. ](\d{1,2})$/u.exec(value) ?? [];
  const [, a = day ?? dayBehind, b] =
    /^\d{4}-(\d\d)-(\d\d)$/.exec(value) ?? /^(\d{1,2})\/(\d{1,2})\/\d{4}$/.exec(value) ?? [];
  const month = normaliser(word ?? wordFirst ?? '');
  const other = b ?? MONTHS.findIndex((names) => names.includes(month)) + 1;
  const [from = 0, to = 0] = [Number(a ?? 0), Number(other)].toSorted((one, two) => one - two);
  return from === 0 || to > 31 ? null : `${from}-${to}`;
}

const IN_NUMBERS = /(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.]\d{4}(?!\d)/g;

/** Days whose order is ambiguous: « 3/4/2021 ». */
export interface OpenDates {
  readonly count: number;
  readonly exemple: string;
}

/**
 * Whether a file's dates have the month before the day (« 12/25/2020 »). A file has one order: a second number above
 * twelve, without any first one, decides.
 */
export class DateOrder {
  #isDayFirst = false;
  #isMonthFirst = false;
  #count = 0;
  #exemple = '';

  /** Takes a text that may begin with a day as a witness of the order. */
  add(text: string): void {
    const [found] = bare(text).matchAll(IN_NUMBERS);
    if (found?.index === 0) this.#look(found);
  }

  /** Takes all days of a text as evidence, and counts the ambiguous ones. */
  addRead(text: string): void {
    for (const found of text.matchAll(IN_NUMBERS)) {
      this.#look(found);
      const [exemple, first, second] = found;
      if (Number(first) > 12 || Number(second) > 12 || Number(first) === Number(second)) continue;
      if (this.#count++ === 0) this.#exemple = exemple;
    }
  }

  #look([, first = '0', second = '0']: RegExpExecArray): void {
    this.#isDayFirst ||= Number(first) > 12;
    this.#isMonthFirst ||= Number(second) > 12;
  }

  /** `null` once a day shows the order, or if no day needs it. */
  get open(): OpenDates | null {
    if (this.#isDayFirst || this.#isMonthFirst || this.#count === 0) return null;
    return { count: this.#count, exemple: this.#exemple };
  }

  get monthFirst(): boolean {
    return this.#isMonthFirst && !this.#isDayFirst;
  }
}

/** A day as an instant at local noon, like forms; `null` for an invalid or future day. */
export function readDate(text: string | null, monthFirst: boolean): string | null {
  const now = new Date();
  if (text === null) return null;
  if (isExactInstant(text)) return text <= now.toISOString() ? text : null;
  const day = readDay(text, monthFirst);
  if (day === null || day > localDay(now)) return null;
  const noon = noonOf(day).toISOString();
  return noon < now.toISOString() ? noon : now.toISOString();
}

/** Our own tables have instants exactly. */
const isExactInstant = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));

/** In the local time zone. */
function noonOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date, 12);
}

/** A day, also in the future, year first or in the file's order; `null` if invalid. */
export function readDay(text: string, monthFirst: boolean): string | null {
  if (isExactInstant(text)) return localDay(new Date(text));
  const parts = partsOfDate(text, monthFirst);
  const [year, month, day] = parts.map(Number);
  if (!year || !month || !day) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 1900;
  return isDay ? parts.map((part) => part?.padStart(2, '0')).join('-') : null;
}

/** The offset of an instant, `Z` or « +02:00 », after its time of day. */
const CLOCK = /[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)? ?(Z|[+-]\d\d:?\d\d)?$/i;

/** A day with its time, if any, in the service's time zone unless it has an offset; `null` in the future. */
export function readInstant(text: string, monthFirst: boolean): string | null {
  const exact = readDate(text, monthFirst);
  const day = exact === null ? undefined : (readDay(text, monthFirst) ?? undefined);
  const [clock, hour = '', minute, second = '00', zone = ''] = CLOCK.exec(bare(text)) ?? [];
  if (day === undefined || clock === undefined || exact === text) return exact;
  const offset = zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2').toUpperCase();
  const time = Date.parse(`${day}T${hour.padStart(2, '0')}:${minute ?? '00'}:${second}${offset}`);
  return Number.isNaN(time) || time > Date.now() ? exact : new Date(time).toISOString();
}

/** A day, a month or a year; `null` if invalid or in the future. */
export function readPartialDate(text: string, monthFirst: boolean): string | null {
  const [year, ...others] = partsOfDate(text, monthFirst);
  if (year === undefined || year === '0000') return null;
  const parts = others.filter((part) => part !== undefined && Number(part) > 0);
  const date = [year, ...parts.map((part) => part?.padStart(2, '0'))].join('-');
  return lectureDateError(date, latestDay()) === null ? date : null;
}

/** « Sunday, 2021/03/14 ». */
const withoutWeekday = (text: string): string => text.replace(/^\p{L}{3,10}\.?,? (?=\d)/u, '');

/** « 14-Mar-21 » with four digits: of this century unless that is in the future. */
const dayInWords = (text: string): string =>
  text.replace(
    /^(\d{1,2})-(\p{L}{3,9})-(\d\d)$/u,
    (_, day: string, month: string, year: string) => {
      const isPast = Number(year) <= new Date().getFullYear() % 100;
      return `${day} ${month} ${isPast ? '20' : '19'}${year}`;
    },
  );

/** A day as Excel counts them, from 1900-01-00, in a column of days: 44269 is 2021-03-14. */
function dayOfSerial(text: string): string | null {
  if (!/^[2-5]\d{4}(?:[.,]\d+)?$/.test(text)) return null;
  return new Date(Date.UTC(1899, 11, 30 + Number(text.slice(0, 5)))).toISOString().slice(0, 10);
}

/** The year, the month and the day of a date, as many as it has, year first or in the file's order. */
function partsOfDate(text: string, monthFirst: boolean): (string | undefined)[] {
  const value = withoutWeekday(inFigures(dayInWords(bare(text))));
  const serial = dayOfSerial(value);
  if (serial !== null) return serial.split('-');
  const [, y1, m1, d1] = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)/.exec(value) ?? [];
  const [, first, second, y2] = /^(?:(\d{1,2})[-/.])?(\d{1,2})[-/.](\d{4})(?!\d)/.exec(value) ?? [];
  const [d2, m2] = monthFirst && first !== undefined ? [second, first] : [first, second];
  return y1 === undefined ? [y2, m2, d2] : [y1, m1, d1];
}

/** The half stars of a rating of five (of ten or twenty if it says so), rounded; `null` for 0 and none. */
export function readNote(text: string): number | null {
  const stars = /^(★{0,5})([½⯨]?)☆*$/u.exec(bare(text).replaceAll('⭐', '★'));
  if (stars !== null && stars[0] !== '')
    return 2 * (stars[1]?.length ?? 0) + (stars[2] === '' ? 0 : 1) || null;
  const [, value = '0', of = '5'] =
    /^(\d{1,2}(?:[.,]\d{1,6})?)(?:\s*(?:\/|sur)\s*(5|10|20))?$/.exec(bare(text)) ?? [];
  const note = Math.round((Number(value.replace(',', '.')) * MAX_NOTE) / Number(of));
  return note >= 1 && note <= MAX_NOTE ? note : null;
}

interface ReadPosition {
  readonly page: number | null;
  readonly pourcent: number | null;
  /** Whether the position is the end of the book, if known. */
  readonly isEnd: boolean;
}

/**
 * A position in a book: « p. 120 », « 120/340 », « 120 sur 340 », « 35 % », a fraction such as 0.35; `null` for none.
 *
 * @param bareIs the meaning of a plain number
 */
export function readPosition(text: string, bareIs: 'page' | 'pourcent'): ReadPosition | null {
  const value = bare(text).replace(/[\s\u00a0\u202f]+/g, ' ');
  const [, number = '', sign, of] =
    /^(?:p(?:ages?|p)?\.? ?)?(\d{1,7}(?:[.,]\d{1,6})?)(?: ?(%|p(?:ages?|p)?\.?(?!\p{L})))?(?: ?(?:\/|sur|of|out of) ?(\d{1,7}))?(?: ?p(?:ages?|p)?\.?)?$/iu.exec(
      value,
    ) ?? [];
  if (number === '') return null;
  const amount = Number(number.replace(',', '.'));
  const isPercent =
    sign === '%' || (sign === undefined && of === undefined && bareIs === 'pourcent');
  if (isPercent && !/^p/i.test(value)) {
    const isShare = sign === undefined && /^0[.,]\d/.test(number);
    const pourcent = Math.round(isShare ? amount * 100 : amount);
    return pourcent > 100 ? null : { page: null, pourcent, isEnd: pourcent === 100 };
  }
  const isPage = Number.isInteger(amount) && amount >= 1 && amount <= MAX_NOMBRE_PAGES;
  return isPage
    ? { page: amount, pourcent: null, isEnd: of !== undefined && amount >= Number(of) }
    : null;
}

// cspell:disable -- words that other programs and people write
const OWNED: readonly string[] = ['your library', 'votre bibliotheque'];
const READ_UNOWNED: readonly string[] = [
  'read but unowned',
  'lu mais non possede',
  'lus mais non possedes',
  'lu mais pas possede',
  'lus mais pas possedes',
];

const WORDS: Readonly<Record<EtatLecture, readonly string[]>> = {
  lu: [
    'read',
    'lu',
    'lue',
    'lus',
    'completed',
    'finished',
    'termine',
    'terminee',
    'fini',
    'finie',
    'already read',
    'have read',
    'finished reading',
    'done',
    ...READ_UNOWNED,
  ],
  enCours: [
    'currently reading',
    'reading',
    'en cours',
    'in progress',
    'en cours de lecture',
    'lecture en cours',
    'commence',
    'lis',
    'en train de lire',
    'reading now',
    'on hold',
    'paused',
  ],
  aLire: [
    'to read',
    'a lire',
    'want to read',
    'unread',
    'tbr',
    'non lu',
    'non lue',
    'pas lu',
    'pas lue',
    'pal',
    'pile a lire',
    'planned',
    'lire',
    'envie de lire',
    'to be read',
    'up next',
  ],
  souhait: [
    'wishlist',
    'wish list',
    'wish',
    'pense bete',
    'envie',
    'envies',
    'souhait',
    'souhaits',
    'a acheter',
    'souhaite',
    'liste de souhaits',
    'wanted',
  ],
  abandon: [
    'did not finish',
    'dnf',
    'abandoned',
    'abandonne',
    'abandonnes',
    'abandonnee',
    'stopped reading',
    'stopped',
    'gave up',
    'given up',
  ],
};

/** Whether a book's collections say that it was read and is not owned, and none that it is. */
export function isReadUnowned(collections: readonly string[]): boolean {
  const names = collections.map(normaliser);
  return (
    names.some((name) => READ_UNOWNED.includes(name)) && !names.some((name) => OWNED.includes(name))
  );
}

/** Words before a reading state: « J’ai lu », « Je l’ai abandonné », « Dans ma wishlist », « Je veux le lire ». */
const BEFORE_STATE =
  /^(?:(?:j|je|n|l|le|la|les|ai|est|suis|veux|voudrais|dans|ma|mon|mes|deja|i|ve) )+(?=\S)/;
// cspell:enable

const LECTURES: ReadonlyMap<string, EtatLecture> = new Map(
  objectKeys(WORDS).flatMap((lecture) =>
    WORDS[lecture].map((word): [string, EtatLecture] => [word, lecture]),
  ),
);

/** The first reading state named by one of these texts; `null` without any. */
export function readEtatLecture(...texts: readonly string[]): EtatLecture | null {
  for (const text of texts) {
    const words = normaliser(text);
    const found = LECTURES.get(words) ?? LECTURES.get(words.replace(BEFORE_STATE, ''));
    if (found !== undefined) return found;
  }
  return null;
}

/** Whether a binding means an ebook. */
export const isEbook = (binding: string): boolean =>
  // cspell:disable-next-line -- words that other programs write
  /kindle|e-?book|\bnook\b|epub|\bpdf\b|num[ée]rique|^digital$/i.test(binding);

/** Whether a binding only means « book ». */
export const isPlainBook = (binding: string): boolean =>
  /^(?:papier|paper(?: book)?|print(?:ed)?(?: book)?|livre|book|physique|physical)$/i.test(
    binding.trim(),
  );

// cspell:disable -- headers of other programs
/** Headers of the day on which a book came into a program's list, normalised; not of when its record was changed. */
const ADDED =
  /^(?:(?:date )?(?:added|created|entered|inserted|catalogued|cataloged)(?: on| at| date)?|dateadded|entry ?date|creation ?date|cdate|timestamp|date (?:d )?(?:ajout|entree|creation|saisie)\b.*|(?:ajoute|cree|saisi) le|date de (?:creation|saisie))$/;
// cspell:enable

export interface EntryDay {
  readonly colonne: string;
  /** In RFC 3339; the beginning of a day without a time. */
  readonly date: string;
}

export const isEntryColumn = (colonne: string): boolean => ADDED.test(normaliser(colonne));

/** The entry date in a file; `null` if unreadable or in the future. */
export function entryOf(
  details: readonly { readonly colonne: string; readonly valeur: string }[],
  monthFirst: boolean,
): EntryDay | null {
  for (const { colonne, valeur } of details) {
    const date = isEntryColumn(colonne) ? readInstant(valeur, monthFirst) : null;
    if (date !== null) return { colonne, date };
  }
  return null;
}
