import { decodeHTMLStrict } from 'entities';
import { namesOfPath } from '#shared/emplacement-tree';
import { MAX_NIVEAUX } from '#shared/emplacements';
import { localDay } from '#shared/days';
import { CoverUrl, MAX_LENGTHS } from '#shared/fields';
import { parseRestText, type Detail } from '#shared/details';
import type { ALire } from '#shared/importations';
import {
  isAfter,
  NO_POSITION,
  statutOfLecture,
  type Notation,
  type Position,
} from '#shared/lectures';
import {
  LIVRE_TEXTS,
  MAX_ANNEE,
  MAX_AUTEURS,
  MAX_NOMBRE_PAGES,
  type Emprunt,
  type Format,
  type LivreText,
  type LivreTexts,
  type TypeDocument,
} from '#shared/livres';
import { mapObject } from '#shared/object-keys';
import { STATUTS, type Statut } from '#shared/statuts';
import { areTomes } from '#shared/tomes';
import {
  firstCharacters,
  isLongerThan,
  nfc,
  normaliser,
  shortened,
  storedLine,
  textKey,
} from '#shared/text';
import { cleanText as cleanLine } from '#server/plumbing/upstream/texts';
import { validatorOf } from '#server/plumbing/common/schemas';
import { endsBeforeItBegins } from '#server/subjects/prets';
import { raison, messageOf, type Raison } from '#server/plumbing/common/raisons';
import {
  entryOf,
  bare,
  decodeEntities,
  inFigures,
  isNothing,
  readAnnee,
  readCount,
  readDay,
  readDate,
  readIsbns,
  readNote,
  readPartialDate,
  readPosition,
  saysSomething,
  type EntryDay,
  type EtatLecture,
} from './values.ts';
import type {
  ColumnText,
  ColumnWords,
  ExportedRecord,
  ImportRecord,
  RawLectures,
  SerieRef,
} from './record.ts';

/** A record as the household could enter it. */
export interface CleanRow extends LivreTexts<string | null> {
  readonly titre: string;
  readonly auteurs: readonly string[];
  readonly isbn: string | null;
  readonly annee: number | null;
  readonly nombrePages: number | null;
  readonly format: Format;
  /** Left out if the file has none. */
  readonly typeDocument?: TypeDocument;
  readonly coverUrl?: string;
  /** The key of a picture in the file. */
  readonly couverture?: string;
  readonly isSouhait: boolean;
  /** True for a wish whose ownership the file leaves open. */
  readonly mayBeOwned?: true;
  readonly statut: Statut | null;
  readonly lectures: readonly Notation[];
  readonly series: readonly SerieRef[];
  readonly emplacement: readonly string[];
  readonly pret: {
    readonly emprunteur: string;
    readonly datePret: string | null;
    /** Left out of rows stored by a version without due dates. */
    readonly dateRetourPrevue?: string | null;
  } | null;
  /** Left out where it is the household's. */
  readonly emprunteA?: Emprunt;
  readonly kept?: ExportedRecord;
  /** Words that become themes (`withThemes`); left out if none does. */
  readonly themes?: readonly string[];
  /** Columns that become details (`withDetails`); left out if none does. */
  readonly details?: readonly Detail[];
  /** True for a reading of a book that the household does not own. */
  readonly isLecture?: true;
  /** True if other rows of the file have its ISBN with another title or number, as the volumes of a boxed set. */
  readonly isOfSet?: true;
}

/** Defaults for the fields that rows stored by an earlier version lack. */
export const NO_FIELDS: Omit<
  CleanRow,
  | 'kept'
  | 'typeDocument'
  | 'coverUrl'
  | 'couverture'
  | 'emprunteA'
  | 'themes'
  | 'details'
  | 'isLecture'
  | 'isOfSet'
  | 'mayBeOwned'
> = {
  titre: '',
  auteurs: [],
  isbn: null,
  ...mapObject(LIVRE_TEXTS, () => null),
  annee: null,
  nombrePages: null,
  format: 'Physique',
  isSouhait: false,
  statut: null,
  lectures: [],
  series: [],
  emplacement: [],
  pret: null,
};

export interface ReadRow {
  readonly row: CleanRow;
  readonly refus: Raison | null;
  /** True for a row with an ISBN only, to be looked up. */
  readonly isPending: boolean;
  readonly avertissements: readonly Raison[];
  readonly themes?: readonly ColumnWords[];
  readonly details?: readonly ColumnText[];
  /** The entry date in the file, if any. */
  readonly entree?: EntryDay;
}

type Warn = (given: Raison) => null;

/** Whether a book is to be read, and the file does not tell whether it is owned. */
export const isOwnershipOpen = ({ lecture, kept, isExact, isOwned }: ImportRecord): boolean =>
  lecture === 'aLire' && kept === undefined && isExact === undefined && isOwned !== true;

/** Cleans a row: drops invalid values with a warning, refuses a row without title and ISBN (docs/rules.md § 36). */
export function cleanRow(raw: ImportRecord, aLire: ALire, monthFirst: boolean): ReadRow {
  const avertissements = [...(raw.notes ?? [])];
  const warn = (given: Raison): null => {
    avertissements.push(given);
    return null;
  };
  // A household's own texts are exact: no-break blanks stay.
  const clean = raw.kept === undefined && raw.isExact === undefined ? cleanText : cleanExact;
  const titre = clean(raw.titre);
  const found = readIsbns(raw.isbns ?? []);
  avertissements.push(...found.avertissements);
  const lecture = raw.lecture ?? null;
  const nombrePages = cleanNumber(raw.nombrePages, PAGES, warn);
  const lectures = cleanLectures(raw.lectures ?? null, lecture, warn, monthFirst, nombrePages);
  const gone = raw.notOwned === undefined ? null : goneRow(raw.notOwned, lecture, lectures);
  if (gone?.isLecture === true) {
    const suite = messageOf(notedAs(gone.lectures));
    warn(raison('parti', { raison: messageOf(gone.raison), suite }));
  }
  const mayBeOwned = aLire === 'souhait' && isOwnershipOpen(raw);
  const row: CleanRow = {
    titre,
    auteurs: cleanAuteurs(
      raw.kept || raw.isExact ? raw.auteurs : raw.auteurs.flatMap(bareNom),
      clean,
      warn,
    ),
    isbn: found.isbn,
    ...mapObject(LIVRE_TEXTS, (name) => fittingText(name, clean(raw[name] ?? ''), warn)),
    annee: cleanNumber(raw.annee, ANNEE, warn),
    nombrePages,
    format: raw.isNumerique === true ? 'Numerique' : 'Physique',
    ...(raw.typeDocument && { typeDocument: raw.typeDocument }),
    ...cleanCoverUrl(raw.coverUrl ?? '', warn),
    ...(raw.cover !== undefined && { couverture: raw.cover }),
    isSouhait: lecture === 'souhait' || mayBeOwned,
    ...(mayBeOwned && { mayBeOwned }),
    statut: gone === null ? (statutOf(lecture) ?? statutOfReadings(raw, lectures)) : null,
    lectures: gone?.lectures ?? lectures,
    series: cleanSeries(raw.series ?? [], warn),
    emplacement: cleanEmplacement(raw.emplacement ?? '', warn),
    pret: raw.kept ? exactPret(raw.pret) : cleanPret(raw.pret, warn, monthFirst),
    ...(gone === null && cleanEmprunt(raw.emprunt, warn, monthFirst)),
    ...(raw.kept && { kept: raw.kept }),
    ...(gone?.isLecture === true && { isLecture: true as const }),
  };
  const themes = cleanThemes(raw.themes ?? [], warn);
  const details = cleanDetails(raw);
  const entree = entryOf(details, monthFirst);
  const refus = raw.refusal ?? (gone?.isLecture === false ? gone.raison : null);
  return {
    row,
    refus: refus ?? refusalOf(titre, row.isbn),
    isPending: refus === null && titre === '' && row.isbn !== null,
    avertissements,
    ...(themes.length > 0 && { themes }),
    ...(details.length > 0 && { details }),
    ...(entree !== null && { entree }),
  };
}

/** « Autres détails » and “Other details” of our own table. */
const OWN_REST = /^(?:autres d[ée]tails|other details)$/iu;

/** The columns that our own table would have for its details beyond two hundred names; another column as it is. */
function unfoldDetails(column: ColumnText): ColumnText[] {
  const details = OWN_REST.test(column.colonne) ? parseRestText(column.valeur) : null;
  return details === null
    ? [column]
    : details.map(({ nom, valeur }) => ({ colonne: `Détail : ${nom}`, valeur }));
}

const cleanDetails = ({ details = [], isExact }: ImportRecord): ColumnText[] =>
  details.flatMap(unfoldDetails).flatMap(({ colonne, valeur }) => {
    const text = firstCharacters(
      isExact ? exactText(valeur) : plainText(valeur),
      MAX_LENGTHS.freeText,
    );
    return text === '' ? [] : [{ colonne, valeur: text.trim() }];
  });

/** A row of a book that the household does not own, or no longer: its readings, if it has any, else a refusal. */
function goneRow(why: Raison, etat: EtatLecture | null, given: readonly Notation[]) {
  const lectures = given.length === 0 && etat === 'lu' ? [NOTHING] : given;
  return { raison: why, lectures, isLecture: lectures.length > 0 };
}

/** The outcome of readings without a book, and whether one is still open. */
const notedAs = (lectures: readonly Notation[]): Raison =>
  lectures.some((lecture) => statutOfLecture(lecture) === 'EnCours')
    ? raison('lectureEnCours')
    : raison('lectureNotee');

const cleanExact = (text: string): string => storedLine(text.toWellFormed());

/** Cleans a text as the service stores it (docs/rules.md § 3). */
const cleanText = (text: string): string => cleanLine(decodeEntities(text));

function refusalOf(titre: string, isbn: string | null): Raison | null {
  if (isLongerThan(titre, MAX_LENGTHS.titre))
    return raison('titreTropLong', { maximum: MAX_LENGTHS.titre });
  if (titre !== '') return null;
  return raison(isbn === null ? 'niTitreNiIsbn' : 'enAttente');
}

function cleanCoverUrl(text: string, warn: Warn): Pick<CleanRow, 'coverUrl'> {
  if (text === '') return {};
  if (validatorOf(CoverUrl)(text)) return { coverUrl: text };
  warn(raison('adresseIllisible', { dit: shortened(text, 40) }));
  return {};
}

// cspell:disable -- words that people and programs write
/** Spellings of an unknown author. */
const NOBODY = /^(?:unknown(?: author)?|auteur inconnu|inconnue?|n ?a|n ?n|s ?n|none|null|nan)?$/;

/** Words before a name. */
const BEFORE_NOM = /^(?:(?:edited|ed\.) by|with|avec)\s+/i;
const BEHIND_NOM = /,?(?<!\s)\s+(?:et|and) al(?:ii|\.)?$/i;
// cspell:enable

/** A name without words that are no part of it; empty if nobody is named. */
const bareNom = (text: string): string[] => {
  const nom = text.trim().replace(BEFORE_NOM, '').replace(BEHIND_NOM, '');
  return NOBODY.test(normaliser(nom)) ? [] : [nom];
};

function cleanAuteurs(
  noms: readonly string[],
  clean: (text: string) => string,
  warn: Warn,
): string[] {
  const cleaned = [...new Set(noms.map(clean))].filter((nom) => nom !== '');
  const fitting = cleaned.filter((nom) => !isLongerThan(nom, MAX_LENGTHS.nom));
  if (fitting.length < cleaned.length) warn(raison('nomTropLong'));
  if (fitting.length > MAX_AUTEURS) warn(raison('auteursDeTrop', { maximum: MAX_AUTEURS }));
  return fitting.slice(0, MAX_AUTEURS);
}

function cleanSeries(series: readonly SerieRef[], warn: Warn): SerieRef[] {
  const cleaned = series
    .map(({ titre, numero, tomes }) => ({
      titre: cleanText(titre),
      numero: numero?.trim() ?? null,
      ...(tomes && { tomes: fittingTomes(tomes, warn) }),
    }))
    .filter(({ titre }) => titre !== '');
  const fitting = cleaned.filter(
    ({ titre, numero }) =>
      !isLongerThan(titre, MAX_LENGTHS.titre) && !isLongerThan(numero ?? '', MAX_LENGTHS.code),
  );
  if (fitting.length < cleaned.length) warn(raison('serieTropLongue'));
  return fitting;
}

function fittingTomes(text: string, warn: Warn): string | null {
  const tomes = cleanText(text);
  if (areTomes(tomes) && !isLongerThan(tomes, MAX_LENGTHS.code)) return tomes;
  return warn(raison('tomesIllisibles'));
}

function fittingText(name: LivreText, text: string, warn: Warn): string | null {
  if (isLongerThan(text, LIVRE_TEXTS[name].maxLength))
    return warn(
      raison('texteTropLong', { champ: messageOf(raison('nomDeChamp', { champ: name })) }),
    );
  return text === '' ? null : text;
}

const ANNEE = {
  read: readAnnee,
  max: MAX_ANNEE,
  unreadable: 'anneeIllisible',
  impossible: 'anneeImpossible',
} as const;
const PAGES = {
  read: readCount,
  max: MAX_NOMBRE_PAGES,
  unreadable: 'pagesIllisibles',
  impossible: 'pagesImpossibles',
} as const;

function cleanNumber(
  text: string | undefined = '',
  { read, max, unreadable, impossible }: typeof ANNEE | typeof PAGES,
  warn: Warn,
): number | null {
  const value = read(text);
  if (value === null)
    return saysSomething(text)
      ? warn(raison(unreadable, { dit: shortened(bare(text), 40) }))
      : null;
  return Math.abs(value) > max ? warn(raison(impossible, { valeur: value })) : value;
}

function cleanEmplacement(text: string, warn: Warn): string[] {
  const noms = namesOfPath(cleanText(text));
  if (noms.length <= MAX_NIVEAUX && !noms.some((nom) => isLongerThan(nom, MAX_LENGTHS.nom)))
    return noms;
  warn(raison('emplacementTropLong'));
  return [];
}

/** The most words that one book may have. */
export const MAX_WORDS = 100;

/** The words of a row, without repeats within a column; warns of those too long for a theme. */
function cleanThemes(columns: readonly ColumnWords[], warn: Warn): ColumnWords[] {
  return columns.flatMap(({ colonne, noms }) => {
    const byKey = new Map<string, string>();
    if (noms.length > MAX_WORDS) warn(raison('etiquettesDeTrop', { maximum: MAX_WORDS }));
    for (const nom of noms.slice(0, MAX_WORDS).map(cleanText)) {
      if (isLongerThan(nom, MAX_LENGTHS.nom))
        warn(raison('etiquetteTropLongue', { dit: shortened(nom, 40) }));
      else if (nom !== '' && !byKey.has(textKey(nom))) byKey.set(textKey(nom), nom);
    }
    return byKey.size === 0 ? [] : [{ colonne, noms: [...byKey.values()] }];
  });
}

const exactPret = (pret: ImportRecord['pret']): CleanRow['pret'] =>
  pret
    ? {
        emprunteur: pret.emprunteur,
        datePret: pret.date,
        ...(pret.dateRetourPrevue && { dateRetourPrevue: pret.dateRetourPrevue }),
      }
    : null;

function cleanPret(pret: ImportRecord['pret'], warn: Warn, monthFirst: boolean): CleanRow['pret'] {
  if (!pret) return null;
  const emprunteur = cleanText(pret.emprunteur);
  if (emprunteur === '') return null;
  if (isLongerThan(emprunteur, MAX_LENGTHS.nom)) return warn(raison('emprunteurTropLong'));
  const datePret = readDate(pret.date, monthFirst);
  if (datePret === null && saysSomething(pret.date ?? ''))
    warn(raison('datePretIllisible', { dit: shortened(pret.date ?? '', 40) }));
  const dateRetourPrevue = readDay(pret.dateRetourPrevue ?? '', monthFirst) ?? undefined;
  if (dateRetourPrevue === undefined) {
    warnOfDay('retourIllisible', pret.dateRetourPrevue ?? '', warn);
    return { emprunteur, datePret };
  }
  const start = datePret ?? new Date().toISOString();
  if (!endsBeforeItBegins({ datePret: start, dateRetourPrevue }))
    return { emprunteur, datePret, dateRetourPrevue };
  warn(raison('retourAvantPret', { jour: dateRetourPrevue }));
  return { emprunteur, datePret };
}

function cleanEmprunt(
  emprunt: ImportRecord['emprunt'],
  warn: Warn,
  monthFirst: boolean,
): Pick<CleanRow, 'emprunteA'> {
  const nom = cleanText(emprunt?.nom ?? '');
  if (emprunt === undefined || nom === '') return {};
  if (isLongerThan(nom, MAX_LENGTHS.nom)) {
    warn(raison('preteurTropLong'));
    return {};
  }
  const dayOf = (unreadable: Unreadable, text: string): string | null => {
    const day = readDay(text, monthFirst);
    if (day === null) warnOfDay(unreadable, text, warn);
    return day;
  };
  const lentOn = dayOf('jourEmpruntIllisible', emprunt.depuis);
  if (lentOn === null) warn(raison('empruntSansDate'));
  const depuis = lentOn ?? localDay(new Date());
  const aRendre = dayOf('retourIllisible', emprunt.aRendre);
  if (aRendre === null || aRendre >= depuis) return { emprunteA: { nom, depuis, aRendre } };
  warn(raison('retourAvantEmprunt', { jour: aRendre }));
  return { emprunteA: { nom, depuis, aRendre: null } };
}

/** Warns of a text in a column of days that is no day. */
function warnOfDay(unreadable: Unreadable, text: string, warn: Warn): void {
  if (saysSomething(text)) warn(raison(unreadable, { dit: shortened(bare(text), 40) }));
}

type Unreadable =
  | 'retourIllisible'
  | 'jourEmpruntIllisible'
  | 'jourPageIllisible'
  | 'debutIllisible'
  | 'abandonIllisible'
  | 'jourIllisible';

function statutOf(lecture: EtatLecture | null): Statut | null {
  if (lecture === 'lu') return STATUTS.lu;
  if (lecture === 'enCours') return STATUTS.enCours;
  return lecture === 'aLire' ? STATUTS.aLire : null;
}

/** The status of a row without one: stars or a review imply a read book. Our own files leave it out on purpose. */
function statutOfReadings(
  { lecture = null, kept, isExact }: ImportRecord,
  lectures: readonly Notation[],
): Statut | null {
  if (lecture !== null || kept !== undefined || isExact !== undefined) return null;
  const statuts = new Set(lectures.map(statutOfLecture));
  if (statuts.has('EnCours')) return STATUTS.enCours;
  return statuts.has('Lue') ? STATUTS.lu : null;
}

/** The most readings that one book may have. */
const MAX_READINGS = 50;

type Span = Pick<Notation, 'debut' | 'fin'>;
const BLANK: Span = { debut: null, fin: null };
const NOTHING: Notation = { ...BLANK, abandon: false, note: null, avis: null, ...NO_POSITION };

/**
 * The readings of a row, the earliest first: one per date, as many without a date as it was read besides, with rating
 * and review on the last (docs/rules.md § 55).
 *
 * @param etat the status in the file: « abandoned » makes a reading, « read » alone does not
 */
export function cleanLectures(
  raw: RawLectures | null,
  etat: EtatLecture | null,
  warn: Warn,
  monthFirst: boolean,
  nombrePages: number | null = null,
): Notation[] {
  if (raw === null) return etat === 'abandon' ? [{ ...NOTHING, abandon: true }] : [];
  const note = readNote(raw.note);
  if (note === null && !isNothing(raw.note))
    warn(raison('noteIllisible', { dit: shortened(bare(raw.note), 40) }));
  const avis = cleanAvis([raw.avis, raw.notes], warn);
  const spans = readSpans(raw, etat, warn, monthFirst);
  const times = Math.min(readCount(raw.count) ?? 0, MAX_READINGS);
  // One undated reading is implied by the status.
  const undated = Math.max(0, times - Math.max(spans.length, 1));
  // A rating or review implies a read book; notes do not.
  const isTold = note !== null || undated > 0 || cleanAvis([raw.avis], () => null) !== null;
  const isRead = etat === 'lu' && avis !== null;
  const position = cleanPosition(raw, { etat, nombrePages }, warn, monthFirst);
  if (spans.length === 0 && etat === 'enCours' && position !== NO_POSITION)
    spans.push({ debut: position.pageJour ?? dayOfImport(warn), fin: null });
  if (spans.length === 0 && (etat === 'abandon' || isTold || isRead)) spans.push(BLANK);
  const lectures = [...Array.from({ length: undated }, () => BLANK), ...spans].map(
    (span): Notation => ({ ...NOTHING, ...span }),
  );
  const last = lectures.pop();
  if (last === undefined && avis !== null) warn(raison('noteSansLecture'));
  if (last === undefined && position !== NO_POSITION) warn(raison('pageSansLecture'));
  if (last === undefined) return [];
  const isGivenUp = bare(raw.abandon) !== '' && bare(raw.dates) === '';
  const abandon = etat === 'abandon' || isGivenUp;
  const all = [...lectures, { ...last, abandon, note, avis }];
  const isOpen = (lecture: Notation) => statutOfLecture(lecture) === 'EnCours';
  const at = all.findLastIndex(isOpen);
  return all.with(at, { ...(all.at(at) ?? NOTHING), ...position });
}

function dayOfImport(warn: Warn): string {
  warn(raison('lectureSansDebut'));
  return localDay(new Date());
}

/** The reader's position; none for a finished or unopened book. */
function cleanPosition(
  { page: pageText, pourcent: pourcentText, pageJour: jourText }: RawLectures,
  { etat, nombrePages }: { readonly etat: EtatLecture | null; readonly nombrePages: number | null },
  warn: Warn,
  monthFirst: boolean,
): Position {
  const texts = [pageText, pourcentText];
  const read = [readPosition(pageText, 'page'), readPosition(pourcentText, 'pourcent')];
  for (const [index, text] of texts.entries())
    if (read[index] === null && saysSomething(text))
      warn(raison('pageIllisible', { dit: shortened(bare(text), 40) }));
  const [position] = read.filter((each) => each !== null);
  if (position === undefined) return NO_POSITION;
  const { page, pourcent } = position;
  const isEnd = position.isEnd || (page !== null && page === nombrePages);
  if (pourcent === 0 || (etat === 'lu' && isEnd)) return NO_POSITION;
  if (page !== null && nombrePages !== null && page > nombrePages) {
    warn(raison('pageAuDela', { page }));
    return NO_POSITION;
  }
  const pageJour = readPartialDate(jourText, monthFirst);
  const isDay = pageJour?.length === 10;
  if (!isDay) warnOfDay('jourPageIllisible', jourText, warn);
  return { page, pourcent, pageJour: isDay ? pageJour : null };
}

function readSpans(
  raw: RawLectures,
  etat: EtatLecture | null,
  warn: Warn,
  monthFirst: boolean,
): Span[] {
  const begun = readPartialDate(raw.debut, monthFirst);
  const ended = readPartialDate(raw.abandon, monthFirst);
  if (begun === null) warnOfDay('debutIllisible', raw.debut, warn);
  if (ended === null) warnOfDay('abandonIllisible', raw.abandon, warn);
  // One piece beyond the limit: a text of separators may have a million.
  const pieces = inFigures(raw.dates).split(/[,;]/, MAX_READINGS + 1);
  const read = pieces
    .slice(0, MAX_READINGS)
    .map((text) => ({ text, span: spanOf(text, monthFirst) }));
  const unreadable = read.find(({ text, span }) => span === null && saysSomething(text));
  const half = read.find(({ text, span }) => span !== null && isHalfRead(text, span));
  if (half !== undefined) warnOfDay('jourIllisible', half.text, warn);
  if (unreadable !== undefined)
    warn(raison('dateLectureIllisible', { dit: shortened(bare(unreadable.text), 40) }));
  if (pieces.length > MAX_READINGS) warn(raison('datesDeTrop', { maximum: MAX_READINGS }));
  const spans = read.flatMap(({ span }) => span ?? []);
  const sorted = spans.sort((a, b) => ((a.fin ?? '') < (b.fin ?? '') ? -1 : 1));
  const last = sorted.at(-1);
  if (last === undefined)
    return ended !== null || (begun !== null && etat !== 'lu' && etat !== 'aLire')
      ? [inOrder(begun, ended)]
      : [];
  return last.debut === null ? [...sorted.slice(0, -1), inOrder(begun, last.fin)] : sorted;
}

/** Whether one of the days of a span was dropped as invalid. */
const isHalfRead = (text: string, { debut, fin }: Span): boolean =>
  (debut === null) !== (fin === null) && (text.match(/\d{4}/g)?.length ?? 0) > 1;

/** « 2021/01/03-2021/01/10 » of StoryGraph, « 2019-03-01/2019-03-12 » of our own, or one date. */
function spanOf(text: string, monthFirst: boolean): Span | null {
  const value = bare(text);
  if (['sans date', 'no date'].includes(normaliser(value))) return BLANK;
  const separator = /^\d{4}-\d\d(?:-\d\d)?\/|^\d{4}\/\d{4}$|\/$|^\//.test(value)
    ? '/'
    : /[-–—](?=\s*(?:\d{4}[/.]|\d{1,2}[/.]\d{1,2}[/.]|$))/;
  const [first = '', second] = value.split(separator);
  if (second === undefined) {
    const fin = readPartialDate(first, monthFirst);
    return fin === null ? null : { debut: null, fin };
  }
  const span = inOrder(readPartialDate(first, monthFirst), readPartialDate(second, monthFirst));
  return span.debut === null && span.fin === null ? null : span;
}

const inOrder = (debut: string | null, fin: string | null): Span => ({
  debut: debut !== null && fin !== null && isAfter(debut, fin) ? null : debut,
  fin,
});

/** A text of several lines, which programs write as HTML. */
const plainText = (text: string): string =>
  exactText(
    decodeHTMLStrict(text.replace(/<br\s*\/?>|<\/p>/gi, '\n').replace(/<\/?[a-z][^<>]*>/gi, '')),
  );

/** A text of several lines as the service stores it. */
const exactText = (text: string): string =>
  nfc(
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n]+/gu, ' ')
      .trim(),
  );

/** The texts of a reader, apart by a blank line. */
function cleanAvis(texts: readonly string[], warn: Warn): string | null {
  const clean = texts
    .map(plainText)
    .filter((text) => text !== '')
    .join('\n\n');
  if (isLongerThan(clean, MAX_LENGTHS.freeText)) warn(raison('critiqueCoupee'));
  return firstCharacters(clean, MAX_LENGTHS.freeText).trim() || null;
}
