import { LIVRE_TEXTS } from '#shared/livres';
import { mapObject, objectKeys } from '#shared/object-keys';
import { numeroOf, parseSerie } from '#shared/series-titres';
import { normaliser, shortened, textKey } from '#shared/text';
import { raison, type Raison } from '#server/plumbing/common/raisons';
import {
  isEntryColumn,
  bare,
  isEbook,
  isNothing,
  isYes,
  readCount,
  readEtatLecture,
  readIsbns,
  readPartialDate,
  readPosition,
  readPublication,
  saysSomething,
  tomesMadeDay,
  type DateOrder,
  type EtatLecture,
  type Publication,
} from './values.ts';
import { seriesInBrackets, type Field, type TableFormat } from './formats/table-format.ts';
import {
  NO_LECTURES,
  type ColumnText,
  type ColumnWords,
  type ImportRecord,
  type RawLectures,
  type SerieRef,
} from './record.ts';

// The texts of a record by our own fields, whether cells or values of a list have them, and the record that they make
// (docs/rules.md § 35).

/** The texts of one record. */
export interface FieldTexts {
  readonly values: (field: Field) => readonly string[];
  readonly lectures: RawLectures | null;
  readonly themes: readonly ColumnWords[];
  /** Reading as yes or no, or as a state. */
  readonly saysRead: readonly string[];
  readonly copies: readonly string[];
  /** The texts that no field takes, for a record with so many series: further volume numbers are details. */
  readonly details: (series: number) => readonly ColumnText[];
}

type Reading = Pick<TableFormat, 'isExact' | 'namesVolumes' | 'nom' | 'titre'> & {
  /** Whether a status is one word, so that an unknown one is reported. */
  readonly tellsStatut: boolean;
};

export function recordOf(texts: FieldTexts, reading: Reading): ImportRecord {
  const { nom, titre = seriesInBrackets, isExact } = reading;
  const first = (field: Field) => texts.values(field)[0] ?? '';
  const auteurs = texts.values('auteurs');
  const isbns = [...texts.values('isbn')].sort(longestFirst);
  const series = seriesOf(texts, isExact === true);
  const own = first('titre');
  const cleanTitre = titre(isExact ? own : withoutCatalogueMark(own), (name) =>
    series.some((serie) => textKey(serie.titre) === textKey(name)),
  );
  const [emprunteur, preteur] = [first('emprunteur'), first('preteur')];
  const isBorrowed = !isNothing(preteur);
  const dateRetourPrevue = first('dateRetourPrevue');
  const lecture = etatLecture(texts);
  const isOwned = isOwnedBy(texts.copies);
  const publication = isExact ? null : readPublication(first('editeur'));
  const details = [
    ...texts.details(series.length),
    ...(publication === null ? [] : detailsOfPublication(publication)),
  ];
  const notes = notesOf(texts, reading.tellsStatut);
  return {
    ...(isExact && { isExact }),
    titre:
      !isExact && isOnlyNumero(cleanTitre.titre, series[0])
        ? volumeTitre(cleanTitre.titre, series[0], isbns, reading.namesVolumes === true)
        : cleanTitre.titre,
    auteurs: nom === undefined ? auteurs : auteurs.map(nom),
    isbns,
    ...mapObject(LIVRE_TEXTS, (name) => first(name)),
    ...(publication && { editeur: publication.editeur }),
    annee: first('annee') || (publication?.annee ?? ''),
    nombrePages: first('nombrePages') || (publication?.nombrePages ?? ''),
    isNumerique: isEbook(first('format')),
    lecture: isOwned === false && lecture === 'aLire' ? 'souhait' : lecture,
    ...(isOwned === true && { isOwned }),
    lectures: withDayRead(texts),
    series: series.length > 0 ? withNumerosOf(cleanTitre.series, series) : cleanTitre.series,
    emplacement: first('emplacement'),
    pret: isNothing(emprunteur)
      ? null
      : {
          emprunteur,
          date: first('datePret'),
          dateRetourPrevue: isBorrowed ? '' : dateRetourPrevue,
        },
    ...(isBorrowed && {
      emprunt: { nom: preteur, depuis: first('dateEmprunt'), aRendre: dateRetourPrevue },
    }),
    themes: texts.themes,
    ...(details.length > 0 && { details }),
    notes,
  };
}

/** Fields that need another one: a loan's day without a borrower, a page's day without a page. */
const IDLE = {
  tomes: (_, series) => series === 0,
  dateEmprunt: ({ values }) => isNothing(values('preteur')[0] ?? ''),
  datePret: ({ values }) =>
    isNothing(values('emprunteur')[0] ?? '') && !isNothing(values('preteur')[0] ?? ''),
  count: ({ lectures }) => readCount(lectures?.count ?? '') === null,
  pageJour: ({ lectures }) =>
    readPosition(lectures?.page ?? '', 'page') === null &&
    readPosition(lectures?.pourcent ?? '', 'pourcent') === null,
} as const satisfies Partial<
  Record<Field | keyof RawLectures, (texts: FieldTexts, series: number) => boolean>
>;

export const isIdleField = (field: Field | keyof RawLectures): boolean =>
  Object.hasOwn(IDLE, field);

/** The fields that ignore their text in a record with so many series. */
export const idleFields = (texts: FieldTexts, series: number): ReadonlySet<keyof typeof IDLE> =>
  new Set(objectKeys(IDLE).filter((field) => IDLE[field](texts, series)));

const detailsOfPublication = ({ edition, rest }: Publication): ColumnText[] =>
  [
    { colonne: 'Édition', valeur: edition }, // cspell:disable-line
    { colonne: 'Publication', valeur: rest },
  ].filter(({ valeur }) => valeur !== '');

/** « 2019 » or a day in a yes/no column means read, and when. */
const dayRead = ({ saysRead }: FieldTexts): string | undefined =>
  saysRead.find((text) => /\d{4}/.test(text) && readPartialDate(text, false) !== null);

function withDayRead(texts: FieldTexts): RawLectures | null {
  const dates = dayRead(texts);
  if (dates === undefined || texts.lectures?.dates) return texts.lectures;
  return { ...(texts.lectures ?? NO_LECTURES), dates };
}

/** Adds the days of a record as evidence of their order; reading days count as open ones. */
export function addDates(
  order: DateOrder,
  { values, lectures }: FieldTexts,
  details: ImportRecord['details'] = [],
): void {
  const { dates, debut, abandon, pageJour } = lectures ?? NO_LECTURES;
  const loans = (['datePret', 'dateEmprunt', 'dateRetourPrevue'] as const).flatMap(values);
  for (const text of [...loans, dates, debut, abandon, pageJour]) order.addRead(text);
  for (const text of values('annee')) order.add(text);
  for (const { colonne, valeur } of details)
    if (isEntryColumn(colonne)) order.addRead(valeur);
    else order.add(valeur);
}

/** The series of a record; a number may follow the name. */
function seriesOf({ values }: FieldTexts, isExact: boolean): SerieRef[] {
  const [tomes = ''] = values('tomes');
  const withTomes = tomes === '' ? {} : { tomes };
  if (isExact) {
    const [numero = null] = values('numero');
    return values('serie').map((titre) => ({ titre, numero, ...withTomes }));
  }
  const numeros = values('numero').map((text) =>
    tomesMadeDay(text) === null ? numeroOfCell(text) : '',
  );
  return values('serie').map((titre, index) => {
    const numero = numeros[index] || null;
    const serie = numero === null ? parseSerie(titre) : { titre, numero };
    return index === 0 ? { ...serie, ...withTomes } : serie;
  });
}

/** « Akari, tome 12 » for a volume without its own title; with an ISBN the catalogues provide the title. */
function volumeTitre(
  titre: string,
  volume: SerieRef | undefined,
  isbns: readonly string[],
  isAlwaysNamed: boolean,
): string {
  if (volume === undefined || volume.numero === null) return titre;
  const isNamed = isAlwaysNamed || titre !== '' || readIsbns(isbns).isbn === null;
  return isNamed ? `${volume.titre}, tome ${volume.numero}` : '';
}

/** Whether a file's number of copies is positive; `null` without one. */
function isOwnedBy(copies: readonly string[]): boolean | null {
  if (copies.some((text) => readCount(text) !== null)) return true;
  return copies.some((text) => /^0+$/.test(text)) ? false : null;
}

/** A wish list counts before a state of reading, and a state before dates. */
function etatLecture(texts: FieldTexts): EtatLecture | null {
  const { values, saysRead } = texts;
  const isWish = (text: string) => isYes(text) || readEtatLecture(text) === 'souhait';
  if (values('souhait').some(isWish)) return 'souhait';
  const lecture = readEtatLecture(...values('statut'));
  if (lecture !== null) return lecture;
  if (saysRead.some(isYes) || dayRead(texts) !== undefined || values('lu').length > 0) return 'lu';
  const named = readEtatLecture(...saysRead);
  if (named !== null) return named;
  return values('enCours').length > 0 ? 'enCours' : null;
}

// cspell:disable -- words that people and programs write
/**
 * Values that are no reading state: the shelf of all owned books in some programs, and « not begun » (docs/rules.md §
 * 12).
 */
export const NO_STATE = new Set([
  'your library',
  'my library',
  'owned',
  'ma bibliotheque',
  'votre bibliotheque',
  'default',
  'possede',
  'je possede',
  'je le possede',
  'in collection',
  'not begun',
  'not started',
  'not yet started',
  'non commence',
  'non commencee',
  'pas commence',
  'pas commencee',
  'pas encore commence',
  'pas encore commencee',
]);
// cspell:enable

/** Whether a word is neither yes or no, nor a reading state or a wish list. */
export const isOwnState = (word: string): boolean =>
  !isNothing(word) && !isYes(word) && readEtatLecture(word) === null;

/** Warnings: unknown reading states, and copies that are not entered. */
function notesOf(texts: FieldTexts, tellsStatut: boolean): Raison[] {
  const { values, themes, copies, saysRead } = texts;
  const words = new Set(themes.flatMap(({ noms }) => noms.map(normaliser)));
  const isUnknown = (text: string): boolean =>
    isOwnState(text) && !words.has(normaliser(text)) && !NO_STATE.has(normaliser(text));
  const statuts = values('statut');
  const unknown = [
    ...(tellsStatut && statuts.every(isUnknown) ? statuts : []),
    ...(dayRead(texts) === undefined ? saysRead.filter(isUnknown) : []),
  ];
  const count = Math.max(1, ...copies.map((text) => readCount(text) ?? 1));
  return [
    ...unknown.map((text) => raison('statutInconnu', { dit: shortened(text, 40) })),
    ...(count > 1 ? [raison('exemplaires', { nombre: count })] : []),
    ...loanOfNobody(values),
    ...numerosMadeDays(values('numero')),
  ];
}

const numerosMadeDays = (texts: readonly string[]): Raison[] =>
  texts.flatMap((text) => {
    const tomes = tomesMadeDay(text);
    return tomes === null ? [] : [raison('numeroDevenuJour', { dit: shortened(text, 40), tomes })];
  });

function loanOfNobody(values: FieldTexts['values']): Raison[] {
  const people = [values('emprunteur')[0] ?? '', values('preteur')[0] ?? ''];
  const days = [values('datePret')[0] ?? '', values('dateRetourPrevue')[0] ?? ''];
  const dit = days.filter(saysSomething).join(', ');
  return people.every(isNothing) && dit !== ''
    ? [raison('pretSansEmprunteur', { dit: shortened(dit, 60) })]
    : [];
}

/** « Le quai / », « Les eaux : »: cataloguing rules put a mark before the part that follows. */
const withoutCatalogueMark = (titre: string): string => titre.replace(/\s[/:;=]$/, '').trimEnd();

/** The numbers in a title for series that are named in their own column: « Lune v02 » of « Lune ». */
function withNumerosOf(found: readonly SerieRef[], series: readonly SerieRef[]): SerieRef[] {
  const numeros = new Map(found.map(({ titre, numero }) => [normaliser(titre), numero]));
  return series.map(({ titre, numero, ...rest }) => ({
    ...rest,
    titre,
    numero: numero ?? numeros.get(normaliser(titre)) ?? null,
  }));
}

/** Whether a title only repeats series and number: « », « Tome 3 », « 3 ». */
const isOnlyNumero = (titre: string, volume: SerieRef | undefined): boolean =>
  titre === '' ||
  (typeof volume?.numero === 'string' && numeroOf(titre) === numeroOf(volume.numero));

/** « 1/3 » is the first of three; trailing zeros are of a spreadsheet. */
const numeroOfCell = (text: string): string =>
  numeroOf(
    bare(text)
      .replace(/^(\d+)\s*\/\s*\d+$/, '$1')
      .replace(/[.,]0+$/, ''),
  );

/** If an ISBN-10 and an ISBN-13 contradict each other, the longer one counts. */
const longestFirst = (a: string, b: string): number =>
  b.replace(/\D/g, '').length - a.replace(/\D/g, '').length;
