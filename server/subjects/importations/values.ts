import { decodeHTMLStrict } from 'entities';
import { isbnAsWritten, otherCodeOf, type OtherCode } from '#shared/isbn';
import { lectureDateError, MAX_NOTE } from '#shared/lectures';
import { MAX_AUTEURS } from '#shared/livres';
import { objectKeys } from '#shared/object-keys';
import { nfc, normaliser, shortened } from '#shared/text';
import { latestDay } from '#server/subjects/lectures';

/** What a file says of reading; `souhait` is a wish whatever the choice for « to-read ». */
export type EtatLecture = 'lu' | 'enCours' | 'aLire' | 'souhait' | 'abandon';

/** A cell without what programs put around a value: `="978…"`, brackets, quotes, blanks. */
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

// cspell:disable-next-line -- a word that other programs write
export const isYes = (text: string): boolean => /^(?:1|true|yes|oui|vrai|x)$/i.test(text.trim());

/** Whether a cell says nothing, or no. */
export const isNothing = (text: string): boolean =>
  /^(?:0(?:[.,]0+)?|false|no|non|faux|-)?$/i.test(bare(text));

interface IsbnOfCells {
  readonly isbn: string | null;
  readonly avertissements: readonly string[];
}

/** The first valid one of the ISBNs of a record; a false one is said and never guessed. */
export function readIsbns(texts: readonly string[]): IsbnOfCells {
  const given = [...new Set(texts.map(bareIsbn).filter((text) => text !== '' && text !== '0'))];
  const read = given.map((text) => ({ text, isbns: isbnsOf(text) }));
  const valid = [...new Set(read.flatMap(({ isbns }) => isbns))];
  const [isbn = null] = valid;
  const avertissements = read
    .filter(({ isbns }) => isbns.length === 0)
    .map(({ text }) => falseIsbn(text));
  if (valid.length > 1)
    avertissements.push(`deux ISBN se contredisent : ${valid.join(' et ')} ; le premier compte`);
  return { isbn, avertissements };
}

const bareIsbn = (text: string): string => bare(text).replace(/^(\d{9,13})[.,]0+$/, '$1');

/** The ISBNs of a cell, which may hold several; none where one of them is false. */
function isbnsOf(text: string): string[] {
  const whole = isbnAsWritten(text);
  if (whole !== null) return [whole];
  const parts = text.split(/[;,|/\n]/, 10);
  if (parts.length === 1) return [];
  const isbns = parts.map(isbnAsWritten);
  return isbns.every((isbn) => isbn !== null) ? isbns : [];
}

const OTHER_CODES: Readonly<Record<OtherCode, string>> = {
  musique: 'c’est le code d’une partition, pas d’un livre',
  produit: 'c’est le code d’un produit, pas un ISBN',
  magazine: 'c’est le code d’un magazine, pas d’un livre',
};

function falseIsbn(text: string): string {
  const said = shortened(text, 40);
  if (/^\d([.,]\d+)?E\+?\d+$/i.test(text))
    return `ISBN abîmé par un tableur, laissé de côté : ${said}`;
  const other = otherCodeOf(text);
  return other === null
    ? `ce n’est pas un ISBN, laissé de côté : ${said}`
    : `${OTHER_CODES[other]}, laissé de côté : ${said}`;
}

/** The year of a date in any form; `null` for none, for 0000 and for what has no year. */
export function readAnnee(text: string): number | null {
  const value = bare(text);
  if (/^-\d{1,4}$/.test(value)) return Number(value);
  const [, year] = /(?<!\d)(\d{4})(?!\d)/.exec(value) ?? /^(\d{1,3})$/.exec(value) ?? [];
  const annee = Number(year ?? 0);
  return annee === 0 ? null : annee;
}

/** « 320 p. », « xii-320 p. : ill. » too, with any blanks; `null` for 0 and for what is no count. */
export function readCount(text: string): number | null {
  const value = bare(text).replace(/[\s\u00a0\u202f]|(?<=^\d)[.,](?=\d{3}(?!\d))/g, '');
  const [, whole] =
    /^(\d{1,7})(?:[.,]0+)?$/.exec(value) ??
    /(?<!\d)(\d{1,7})(?:p|pp|pages?)(?!\p{L})/iu.exec(value) ??
    [];
  return whole === undefined || Number(whole) === 0 ? null : Number(whole);
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

/** « 12 mars 2020 », « 1er avr. 2021 », « March 12, 2020 », « mars 2020 »: a day, a month, a day behind it, a year. */
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

const IN_NUMBERS = /^(\d{1,2})[-/.](\d{1,2})[-/.]\d{4}(?!\d)/;

/**
 * Whether dates have the month before the day (« 12/25/2020 »). One file has one order: a day above twelve in the
 * second place, and none in the first, tells it for all.
 */
export function isMonthFirst(texts: Iterable<string>): boolean {
  let isTold = false;
  for (const text of texts) {
    const [, first = '0', second = '0'] = IN_NUMBERS.exec(bare(text)) ?? [];
    if (Number(first) > 12) return false;
    isTold ||= Number(second) > 12;
  }
  return isTold;
}

/** A day as an instant, year first or in the file's order; `null` for what is no day, and for one to come. */
export function readDate(text: string | null, monthFirst: boolean): string | null {
  const date = readAnyDate(text, monthFirst);
  return date !== null && date <= new Date().toISOString() ? date : null;
}

/** The same, of days to come as well. */
export function readAnyDate(text: string | null, monthFirst: boolean): string | null {
  const [year, month, day] = partsOfDate(text ?? '', monthFirst).map(Number);
  if (!year || !month || !day) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 1900;
  return isDay ? date.toISOString() : null;
}

/** A day, a month or a year; `null` for none, and for one to come. */
export function readPartialDate(text: string, monthFirst: boolean): string | null {
  const [year, ...others] = partsOfDate(text, monthFirst);
  if (year === undefined || year === '0000') return null;
  const parts = others.filter((part) => part !== undefined && Number(part) > 0);
  const date = [year, ...parts.map((part) => part?.padStart(2, '0'))].join('-');
  return lectureDateError(date, latestDay()) === null ? date : null;
}

/** The year, the month and the day of a date, as many as it has, year first or in the file's order. */
function partsOfDate(text: string, monthFirst: boolean): (string | undefined)[] {
  const value = inFigures(bare(text));
  const [, y1, m1, d1] = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)/.exec(value) ?? [];
  const [, first, second, y2] = /^(?:(\d{1,2})[-/.])?(\d{1,2})[-/.](\d{4})(?!\d)/.exec(value) ?? [];
  const [d2, m2] = monthFirst && first !== undefined ? [second, first] : [first, second];
  return y1 === undefined ? [y2, m2, d2] : [y1, m1, d1];
}

/** Half stars of a rating of five (of ten, of twenty where it says so), to the nearest half; `null` for 0 and for none. */
export function readNote(text: string): number | null {
  const stars = /^(★{0,5})([½⯨]?)☆*$/u.exec(bare(text).replaceAll('⭐', '★'));
  if (stars !== null && stars[0] !== '')
    return 2 * (stars[1]?.length ?? 0) + (stars[2] === '' ? 0 : 1) || null;
  const [, value = '0', of = '5'] =
    /^(\d{1,2}(?:[.,]\d{1,6})?)(?:\s*(?:\/|sur)\s*(5|10|20))?$/.exec(bare(text)) ?? [];
  const note = Math.round((Number(value.replace(',', '.')) * MAX_NOTE) / Number(of));
  return note >= 1 && note <= MAX_NOTE ? note : null;
}

// cspell:disable -- words that other programs and people write
const WORDS: Readonly<Record<EtatLecture, readonly string[]>> = {
  lu: [
    ...['read', 'lu', 'lue', 'lus', 'completed', 'finished', 'termine', 'terminee', 'fini'],
    ...['finie', 'read but unowned', 'already read', 'have read', 'finished reading', 'done'],
  ],
  enCours: [
    ...['currently reading', 'reading', 'en cours', 'in progress', 'en cours de lecture'],
    ...[
      'lecture en cours',
      'commence',
      'lis',
      'en train de lire',
      'reading now',
      'on hold',
      'paused',
    ],
  ],
  aLire: [
    ...['to read', 'a lire', 'want to read', 'not begun', 'unread', 'tbr', 'non lu', 'non lue'],
    ...['pal', 'pile a lire', 'pas lu', 'pas lue', 'non commence', 'pas commence', 'not started'],
    ...['planned', 'lire', 'envie de lire', 'to be read', 'up next'],
  ],
  souhait: [
    ...['wishlist', 'wish list', 'wish', 'pense bete', 'envie', 'envies', 'souhait', 'souhaits'],
    ...['a acheter', 'souhaite', 'liste de souhaits', 'wanted'],
  ],
  abandon: [
    ...['did not finish', 'dnf', 'abandoned', 'abandonne', 'abandonnes', 'abandonnee'],
    ...['stopped reading', 'stopped', 'gave up', 'given up'],
  ],
};

/** What speech puts before such a word: « J’ai lu », « Je l’ai abandonné », « Dans ma wishlist », « Je veux le lire ». */
const BEFORE_STATE =
  /^(?:(?:j|je|n|l|le|la|les|ai|est|suis|veux|voudrais|dans|ma|mon|mes|deja|i|ve) )+(?=\S)/;
// cspell:enable

const LECTURES: ReadonlyMap<string, EtatLecture> = new Map(
  objectKeys(WORDS).flatMap((lecture) =>
    WORDS[lecture].map((word): [string, EtatLecture] => [word, lecture]),
  ),
);

/** The first of the reading states that one of these texts names; `null` where none does. */
export function readEtatLecture(...texts: readonly string[]): EtatLecture | null {
  for (const text of texts) {
    const words = normaliser(text);
    const found = LECTURES.get(words) ?? LECTURES.get(words.replace(BEFORE_STATE, ''));
    if (found !== undefined) return found;
  }
  return null;
}

// Names of authors as people and programs write them, read by the column: whether a comma stands between a family
// name and a given name or between two persons is told by all of its cells.

interface NomsOfCells {
  readonly noms: readonly string[];
  readonly avertissements: readonly string[];
}

// cspell:disable -- words that stand beside names
/** Translators and writers of prefaces are no authors (docs/rules.md § 24). */
export const isOtherRole = (role: string): boolean =>
  /^trad|translat|traduc|preface|préfac|foreword|introduc|narrat|afterword|postfac/i.test(role);

const ROLE =
  /^(?:auteure?|author|trad|translat|illus|ill\.?$|préf|pref|scénar|scenar|dessin|color|édit|edit|ed\.?$|dir\.?$|direct|narrat|lect|lu par|contrib|photo|adapt|introd|postf|comp\.?$|collab)/i;

/** « trad. par », « Illustrations de » before a name. */
const ROLE_BEFORE =
  /^((?:trad(?:uit|uction)?|ill(?:ustré|ustrations?)?|préf(?:ace|acé)?|adapt(?:é|ation)?|dessins?|postface)e?\.?)\s+(?:par|de|d['’])\s*(.+)$/iu;

/** « 1821-1881 », « 1950-.... », « né en 1950 », « 18..-1902? ». */
const YEARS = /^(?:née?(?: en)? |b\. |ca\.? |v\. )?[\d?.]{3,5}\??(?:\s*[-–—]\s*[\d?.]{0,5}\??)?$/i;

/** What belongs to the name before it, though a comma or brackets part it off. */
const SUFFIX = /^(?:jr|sr|junior|senior|fils|père|pere|aîné|ii|iii|iv|md|ph\.?d)\.?$/i;

/** What a family name begins with, or a given name ends with before one. */
const PARTICLE =
  /^(?:l[ae]s?|du|de|des|d['’]|van|von|der|den|del|della|di|da|dos|el|al|mc|mac|saint|sainte|st)$/i;
const LAST_PARTICLE = /(?:^|\s)(?:de la|de|du|des|d['’]|van|von|van der|von der|di|da|del|della)$/i;

/** What makes a body of a name: it is not parted at its « et ». */
const BODY =
  /\b(?:ministere|direction|musee|universite|societe|institut|comite|association|editions?|groupe|collectif|bibliotheque|office|conseil|centre|commission|agence|ecole|departement|fondation|organisation|service|federation|union|academie|ville|region|and sons|et fils|et cie)\b/;
// cspell:enable

const INITIALS = /^(?:\p{Lu}\p{M}*\.?[\s-]*)+$/u;

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

/** More names of one cell are not read: a book keeps half as many, and says so. */
const MAX_NOMS = 2 * MAX_AUTEURS;

/** The parts of a text at a separator that stands in no brackets, as many as count. */
function partsOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let [start, counted, depth] = [0, 0, 0];
  for (const { 0: found, index } of text.matchAll(separator)) {
    for (; counted < index; counted++)
      if ('(['.includes(text.charAt(counted))) depth++;
      else if (')]'.includes(text.charAt(counted))) depth--;
    if (depth > 0) continue;
    const part = text.slice(start, index).trim();
    if (part !== '') parts.push(part);
    if (parts.length === MAX_NOMS) return parts;
    start = index + found.length;
  }
  const last = text.slice(start).trim();
  return last === '' ? parts : [...parts, last];
}

function looksLikeNom(text: string): boolean {
  const words = wordsOf(text.replaceAll(',', ' '));
  return (
    words.length >= 2 &&
    words.length <= 5 &&
    /^\P{L}*\p{Lu}/u.test(text) &&
    !/\d/.test(text) &&
    !BODY.test(normaliser(text))
  );
}

/** « A ; B », « A | B », « A (auteur), B (traducteur) »; « & » and « et » part where both sides look like names. */
function persons(text: string): string[] {
  const parted = text.replace(
    /([([]([^()[\]]*)[)\]])\s*[,，]/g,
    (whole, brackets: string, said: string) =>
      ROLE.test(said.trim()) || YEARS.test(said.trim()) ? `${brackets};` : whole,
  );
  return partsOutside(parted, /[;|\n]|\s\/\s/g).flatMap((part) => {
    const sides = partsOutside(part, /\s(?:&|et|and)\s/g);
    return sides.length > 1 &&
      !BODY.test(normaliser(part)) &&
      sides.every((side) => looksLikeNom(side))
      ? sides
      : [part];
  });
}

/** The parts of a name at its commas, without years of life; what belongs to the part before it stands with that. */
function commaParts(text: string): string[] {
  const parts: string[] = [];
  for (const part of partsOutside(text, /[,，]/g)) {
    if (YEARS.test(part)) continue;
    const last = parts.at(-1);
    if (SUFFIX.test(part) && last !== undefined) parts[parts.length - 1] = `${last}\0${part}`;
    else parts.push(part);
  }
  return parts;
}

const isSingle = (text: string): boolean => {
  const words = wordsOf(text.replace(/\0.*$/s, '')).filter((word) => !SUFFIX.test(word));
  return words.filter((word) => !PARTICLE.test(word)).length <= 1;
};

const isGivenName = (text: string): boolean => INITIALS.test(text) || LAST_PARTICLE.test(text);

/** How the commas of a column are to be read; `always` where no name of several words stands without one. */
type Commas = 'always' | 'family' | 'list';

function commasOf(texts: Iterable<string>): Commas {
  let [family, list, plain] = [0, 0, 0];
  for (const text of texts)
    for (const person of persons(text)) {
      const parts = commaParts(person);
      const [first = '', second] = parts;
      if (second === undefined) plain += wordsOf(first).length > 1 ? 1 : 0;
      else if (parts.length > 2) list += parts.every((part) => !isSingle(part)) ? 1 : 0;
      else if (isSingle(first) || isSingle(second) || isGivenName(second)) family++;
      else list++;
    }
  if (family <= list || family * 4 < plain) return 'list';
  return plain === 0 ? 'always' : 'family';
}

/** « La Fontaine, Jean de », « Ince Jr., Irwyn L. », « Kinge, Dale, Jr. » in reading order. */
function inReadingOrder([family = '', given = '']: readonly string[]): string {
  const [name = '', ...suffixes] = family.split('\0');
  const [first = '', ...others] = given.split('\0');
  const joined = /['’]$/.test(first) ? `${first}${name}` : `${first} ${name}`;
  return [joined.trim(), ...suffixes, ...others].join(' ');
}

/** A name with one comma in reading order; any other as it is. */
export function readingOrder(nom: string): string {
  const parts = commaParts(nom);
  return parts.length === 2 && !nom.trim().startsWith(',') && !nom.trim().endsWith(',')
    ? inReadingOrder(parts)
    : nom;
}

/** « Camus Albert » in reading order; as it is where nothing says where the family name ends: other than two plain words. */
export function turned(nom: string): string {
  const [family = '', given = '', ...others] = wordsOf(nom);
  const isPlain = given !== '' && !PARTICLE.test(family) && !/^d['’]/.test(given);
  return isPlain && others.length === 0 ? `${given} ${family}` : nom;
}

function byCommas(person: string, commas: Commas): string[] {
  const parts = commaParts(person);
  const [first = '', second] = parts;
  if (second === undefined) return [first.replaceAll('\0', ' ')];
  const whole = parts.map((part) => part.replaceAll('\0', ' '));
  if (parts.length === 2) {
    const isFamily =
      isGivenName(second) ||
      commas === 'always' ||
      (commas === 'family' && (isSingle(first) || isSingle(second))) ||
      (isSingle(first) && isSingle(second)) ||
      (isSingle(first) && !looksLikeNom(second));
    return isFamily ? [inReadingOrder(parts)] : whole;
  }
  if (parts.every((part) => !isSingle(part))) return whole;
  // « Verne, Jules, Hugo, Victor ».
  if (commas !== 'list' && parts.length % 2 === 0 && parts.every(isSingle))
    return Array.from({ length: parts.length / 2 }, (_, nth) =>
      inReadingOrder(parts.slice(2 * nth, 2 * nth + 2)),
    );
  return commas === 'list' ? whole : [whole.join(', ')];
}

function withoutBrackets(text: string): { readonly nom: string; readonly role: string | null } {
  const [, before = null, named = text] = ROLE_BEFORE.exec(text.trim()) ?? [];
  let role: string | null = before;
  // The blanks before a bracket stay: a pattern that begins with a run of them is tried at each.
  const nom = named.replace(/[([]([^()[\]]*)[)\]]/g, (whole, inside: string) => {
    const said = inside.trim();
    if (said === '' || YEARS.test(said)) return '';
    if (SUFFIX.test(said)) return `, ${said}`;
    if (!ROLE.test(said)) return whole;
    role = said;
    return '';
  });
  return { nom: nom.trim(), role };
}

export function nomReader(texts: Iterable<string>): (cells: readonly string[]) => NomsOfCells {
  const commas = commasOf(texts);
  return (cells) => {
    const read = cells
      .flatMap(persons)
      .flatMap((person) => {
        const { nom, role } = withoutBrackets(person);
        return byCommas(nom, commas).map((one) => ({ nom: one, role }));
      })
      .filter(({ nom }) => nom !== '');
    const authors = read.filter(({ role }) => role === null || !isOtherRole(role));
    const kept = authors.length > 0 ? authors : read;
    return {
      noms: kept.map(({ nom }) => nom),
      avertissements: read.flatMap((one) => {
        if (one.role === null) return [];
        return authors.length === 0 || !isOtherRole(one.role)
          ? [`le rôle n’est pas repris : ${one.nom} (${one.role})`]
          : [`laissé de côté, n’est pas l’auteur : ${one.nom} (${one.role})`];
      }),
    };
  };
}
