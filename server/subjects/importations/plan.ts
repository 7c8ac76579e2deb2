import { localDay } from '#shared/days';
import { detailKey } from '#shared/detail-names';
import { MAX_DETAILS, type Detail } from '#shared/details';
import type { ExportSerie } from '#shared/export';
import {
  ImportationCounts,
  type Decision,
  type OrdreNoms,
  type ColonnePerdue,
  type RowOutcome,
  type ThemePropose,
} from '#shared/importations';
import { dateOfLecture, type Notation } from '#shared/lectures';
import { isLivreText, textsOf, type LivreText } from '#shared/livres';
import { mapObject, objectKeys } from '#shared/object-keys';
import { MAX_PLACES } from '#shared/series';
import { joinAuteurs, souhaitKey, souhaitKeys } from '#shared/souhaits';
import { shortened, textKey } from '#shared/text';
import { MAX_THEMES } from '#shared/themes';
import { CompressedList } from '#server/plumbing/common/compressed-list';
import type { Reader } from '#server/plumbing/database/connection';
import { readStatut } from '#server/subjects/lectures';
import { detailsOfLivre } from '#server/subjects/livres/details';
import { lackingFields, type KnownFields } from '#server/subjects/livres/livres';
import { isBorrowed, openPretOfLivre, readEmplacementId } from '#server/subjects/livres/read';
import { pretsOfLivre } from '#server/subjects/prets';
import { souhaitIdByKeys } from '#server/subjects/souhaits/souhaits';
import { raison, messageOf, type Raison } from '#server/plumbing/common/raisons';
import {
  chosenDetails,
  keptDetails,
  tooManyDetails,
  chosenThemes,
  LostThemes,
  tooManyThemes,
} from './proposals.ts';
import { changesForAll, changesOfOrder, type ForAll } from './questions.ts';
import {
  BookFinder,
  cleOfLivre,
  wordsOfLivre,
  areOtherVolumes,
  keyed,
  Noms,
  type FileKeys,
  type KeyedRow,
} from './matching.ts';
import type { CleanRow, ReadRow } from './rows.ts';
import { SeriePlan, targetKey, type Target } from './series.ts';
import type { Avertissement, Counts } from './store.ts';

export const LEFT_OUT = raison('laisseDeCote');

/** A row of a file as its import keeps it. */
export interface FileRow {
  readonly ligne: number;
  readonly read: ReadRow;
  /** The row's original cells; `null` unless it may be refused. */
  readonly cells: readonly string[] | null;
}

/** A file to plan, with the person's choices for all rows. */
interface FileToPlan {
  /** Read once. */
  readonly rows: Iterable<FileRow>;
  /** The keys of all these rows. */
  readonly keys: FileKeys;
  readonly decisions?: readonly Decision[];
  readonly format: string;
  readonly utilisateur: string | null;
  readonly themes: readonly ThemePropose[];
  /** Columns that no field takes, and whether they become details. */
  readonly perdus: readonly ColonnePerdue[];
  readonly ordreNoms?: OrdreNoms | undefined;
  readonly forAll?: ForAll | undefined;
  /** Titles of series that are not to be created or extended. */
  readonly seriesIgnorees?: readonly string[];
  /** The series of an export, and its readings of books that are not in the household. */
  readonly series: readonly ExportSerie[];
  readonly lectures: Iterable<Notation>;
}

interface LackingFields extends Partial<KnownFields> {
  readonly emplacement?: readonly string[];
  /** The book was borrowed, and is the household's own by now. */
  readonly emprunteA?: null;
}

const NO_FILLS: LackingFields = {};

/** The outcome of one row. */
interface Outcome {
  readonly sort: RowOutcome;
  readonly raison: Raison | null;
  readonly pending: 0 | 1;
  /** The target book: new, the household's, or an earlier row's. */
  readonly target: Target;
  readonly setsStatut: boolean;
  readonly opensPret: boolean;
  /** The fields that the household's book lacks and receives. */
  readonly fills: LackingFields;
}

export interface PlannedRow extends FileRow, Outcome {
  /** Changes of the row by the person's answers. */
  readonly changes: Partial<CleanRow>;
}

type RowPlan = Pick<Outcome, 'sort'> & Partial<Outcome>;

export interface Plan {
  readonly rows: Iterable<PlannedRow>;
  readonly series: SeriePlan;
  readonly counts: Pick<Counts, 'ofRows' | 'themesProposes' | 'perdusThemes' | 'perdus'>;
  readonly avertissements: Iterable<Avertissement>;
}

/** A row as its person's answers leave it. */
export const decidedRow = ({ read, changes }: PlannedRow): CleanRow => ({
  ...read.row,
  ...changes,
});

/**
 * Decides the outcome of each row, against the household and the rows before (docs/rules.md § 36). Writes nothing;
 * the household must not change meanwhile.
 */
export function planAll(database: Reader, file: FileToPlan): Plan {
  const { themes, perdus } = file;
  const taken = new Set(themes.filter(({ repris }) => repris).map(({ nom }) => textKey(nom)));
  const lostThemes = new LostThemes(taken);
  const { ofRows, ...plan } = planRows(database, file, taken, lostThemes);
  const counts = { ofRows, themesProposes: themes, perdus, perdusThemes: lostThemes.columns };
  return { ...plan, counts };
}

/** A separate function, so that its indexes are freed when it returns. */
function planRows(
  database: Reader,
  file: FileToPlan,
  taken: ReadonlySet<string>,
  lostThemes: LostThemes,
) {
  const { format, utilisateur, ordreNoms, forAll = {}, decisions = [] } = file;
  const decided = new Map(decisions.map(({ ligne, sort }) => [ligne, sort]));
  const kept = keptDetails(file.perdus);
  const planner = new Planner(database, file);
  const rows = new CompressedList<PlannedRow>();
  const ofRows = { ...NO_COUNTS };
  const countLecture = (lecture: Notation): void => {
    if (lecture.note !== null) ofRows.notes++;
    if (dateOfLecture(lecture) !== null) ofRows.datesDeLecture++;
  };
  for (const { ligne, read, cells } of file.rows) {
    const say = (warning: Raison): void => planner.say(ligne, warning);
    for (const warning of read.avertissements) say(warning);
    const noms = chosenThemes(read, taken);
    const details = chosenDetails(read, kept, say);
    const changes = {
      ...changesForAll(read.row, forAll),
      ...changesOfOrder(read.row, format, ordreNoms),
      ...(noms.length > 0 && { themes: noms.slice(0, MAX_THEMES) }),
      ...(details.length > 0 && { details: details.slice(0, MAX_DETAILS) }),
    };
    lostThemes.add(read);
    const decision = decided.get(ligne);
    const outcome = planner.plan({
      ligne,
      row: { ...read.row, ...changes },
      refus: decision === 'ignorer' ? LEFT_OUT : read.refus,
      isPending: decision !== 'ignorer' && read.isPending,
      wantsTwin: decision === 'creer',
    });
    const row = { ligne, read, cells, changes, ...outcome };
    rows.push(row);
    const { sort, setsStatut, opensPret } = outcome;
    if (sort === 'nouveau' || sort === 'present') {
      if (noms.length > MAX_THEMES) say(tooManyThemes(noms.slice(MAX_THEMES)));
      if (details.length > MAX_DETAILS) say(tooManyDetails(details.slice(MAX_DETAILS)));
    }
    if (sort === 'nouveau') ofRows.nouveaux++;
    if (sort === 'present') ofRows.presents++;
    if (sort === 'souhait') ofRows.souhaits++;
    if (sort === 'lecture') ofRows.lectures++;
    if (isFilled(row)) ofRows.completes++;
    if (setsStatut) ofRows.statuts++;
    if (opensPret) ofRows.prets++;
    // A reading without a reader is skipped.
    if (sort !== 'refuse' && utilisateur !== null) read.row.lectures.forEach(countLecture);
  }
  if (utilisateur !== null) for (const lecture of file.lectures) countLecture(lecture);
  planner.planExported(file.series);
  const { series, avertissements } = planner;
  ofRows.series = series.all.length;
  return { rows, ofRows, series, avertissements };
}

const NO_COUNTS: ImportationCounts = mapObject(ImportationCounts.properties, () => 0);

/** Whether a household's book receives something; a new one only counts as new. */
export const isFilled = ({ fills, target }: Outcome): boolean =>
  target.livreId !== null && Object.keys(fills).length > 0;

export const souhaitOf = ({ titre, auteurs, isbn }: CleanRow) => ({
  titre,
  auteur: joinAuteurs(auteurs),
  isbn,
});

interface RowToPlan extends Pick<ReadRow, 'row' | 'refus' | 'isPending'> {
  readonly ligne: number;
  /** True where a book is wanted although it resembles another. */
  readonly wantsTwin: boolean;
}

interface KeyedRowToPlan extends RowToPlan {
  readonly key: KeyedRow;
}

/** The book that a row is already. */
interface Match {
  readonly target: Target;
  readonly raison: Raison;
  /** Themes given by earlier rows, and names of details. */
  readonly themes?: readonly string[];
  readonly detailNoms?: readonly string[];
}

const presentAs = ({ target, raison }: Match): RowPlan => ({ sort: 'present', target, raison });

const FIELD_NAMES = {
  auteurs: 'champAuteurs',
  isbn: 'champIsbn',
  annee: 'champAnnee',
  nombrePages: 'champPages',
  emplacement: 'champEmplacement',
  emprunteA: 'champANous',
  themes: 'champThemes',
  details: 'champDetails',
} as const satisfies Readonly<Record<Exclude<keyof LackingFields, LivreText>, string>>;

const nameOfField = (field: keyof LackingFields): Raison =>
  isLivreText(field) ? raison('nomDeChamp', { champ: field }) : raison(FIELD_NAMES[field]);

class Planner {
  readonly series: SeriePlan;
  readonly avertissements = new CompressedList<Avertissement>();
  /** By the ids of books in the export. */
  readonly #targets = new Map<number, Target>();
  readonly #database: Reader;
  readonly #utilisateur: string | null;
  readonly #keys: FileKeys;
  readonly #books: BookFinder;
  readonly #souhaits = new Map<string, number>();
  /** The books about which earlier rows have decided something, such as « statut » or « annee ». */
  readonly #decided = new Map<string, Set<number>>();
  readonly #fullSeries = new Set<string>();
  /** Themes given to books that several rows name. */
  readonly #themes = new Map<ReturnType<typeof targetKey>, readonly string[]>();
  readonly #details = new Map<ReturnType<typeof targetKey>, Set<string>>();

  constructor(database: Reader, { utilisateur, seriesIgnorees = [], keys }: FileToPlan) {
    this.#database = database;
    this.#utilisateur = utilisateur;
    this.#keys = keys;
    this.series = new SeriePlan(database, seriesIgnorees);
    this.#books = new BookFinder(database, keys, this.series);
  }

  plan(row: RowToPlan): Outcome {
    const { ligne, isPending } = row;
    const target = { ligne, livreId: null };
    const nothing = { raison: null, setsStatut: false, opensPret: false, fills: NO_FILLS };
    const decided = this.#planRow({ ...row, key: keyed(ligne, row.row) });
    const pending = decided.sort === 'refuse' && isPending ? 1 : 0;
    const planned = { target, pending, ...nothing, ...decided } as const;
    const exported = row.row.kept?.livre;
    if (exported !== undefined && planned.sort !== 'refuse')
      this.#targets.set(exported.id, planned.target);
    return planned;
  }

  say(ligne: number | null, warning: Raison): void {
    this.avertissements.push({ ligne, raison: warning });
  }

  #planRow(one: KeyedRowToPlan): RowPlan {
    const { row, refus, isPending } = one;
    if (isPending) {
      // A row with an ISBN only is refused until the catalogues answer.
      const found = one.wantsTwin ? null : this.#find(one);
      if (found !== null) return presentAs(found);
      this.#books.remember(row, one.key);
      return { sort: 'refuse', raison: refus };
    }
    if (refus !== null) return { sort: 'refuse', raison: refus };
    const isOwned = () => row.mayBeOwned === true && this.#books.findOwned(row, one.key) !== null;
    if (row.isSouhait && (one.wantsTwin || !isOwned())) return this.#planSouhait(one.ligne, row);
    const found = one.wantsTwin ? null : this.#find(one);
    if (row.isLecture === true) return this.#planLecture(one, found);
    if (found === null) return this.#planNew(one);
    const { target } = found;
    this.#tellOtherWork(one, target);
    this.#planSeries(one, target);
    const fills = this.#planFills(one, found);
    const champs = objectKeys(fills).map((field) => messageOf(nameOfField(field)));
    const explained =
      champs.length === 0
        ? found.raison
        : raison('complete', { raison: messageOf(found.raison), champs });
    return {
      sort: 'present',
      target,
      raison: explained,
      fills,
      ...this.#planStatutAndPret(one, target),
    };
  }

  /** Warns if only the ISBN matches an owned book, with another title and author: the code may be misread. */
  #tellOtherWork({ ligne, row, key: { cle, noms } }: KeyedRowToPlan, target: Target): void {
    const { livreId } = target;
    if (livreId === null || row.kept !== undefined || row.titre === '') return;
    if (row.isbn === null || this.#keys.livreIdOf(row.isbn) !== livreId) return;
    if (cleOfLivre(this.#database, livreId) === cle) return;
    const { titre, auteurs } = wordsOfLivre(this.#database, livreId);
    if (row.auteurs.length > 0 && auteurs.length > 0 && !noms.sharesWith(new Noms(auteurs)))
      this.say(ligne, raison('isbnAutreTitre', { titre: shortened(titre, 100) }));
  }

  #planLecture({ ligne, row }: KeyedRowToPlan, found: Match | null): RowPlan {
    if (row.themes !== undefined) this.say(ligne, raison('lectureSansThemes'));
    if (row.details !== undefined) this.say(ligne, raison('lectureSansDetails'));
    if (this.#utilisateur === null) return { sort: 'refuse', raison: raison('lecturePersonnelle') };
    return found === null ? { sort: 'lecture' } : presentAs(found);
  }

  #planNew(one: KeyedRowToPlan): RowPlan {
    const { ligne, row, key } = one;
    const sameIsbn = this.#books.firstOfIsbn(row);
    const other = this.#books.firstOfWork(key);
    this.#books.remember(row, key);
    const target = { ligne, livreId: null };
    this.#planSeries(one, target);
    const rest = this.#planStatutAndPret(one, target);
    if (row.kept === undefined && sameIsbn !== undefined)
      this.say(ligne, raison('memeIsbn', { ligne: sameIsbn.ligne }));
    else if (row.kept === undefined && other && !areOtherVolumes(other.row, row))
      this.say(ligne, raison('memeOeuvre', { ligne: other.ligne }));
    return { sort: 'nouveau', ...rest };
  }

  #planSeries({ ligne, row }: KeyedRowToPlan, target: Target): void {
    for (const titre of this.series.add(row, target)) {
      // Reported once, since thousands of rows may follow.
      if (this.#fullSeries.has(titre)) continue;
      this.#fullSeries.add(titre);
      this.say(ligne, full('seriePleine', titre));
    }
  }

  /** The series of a household's export, once all rows were planned. */
  planExported(series: readonly ExportSerie[]): void {
    const targetOf = (id: number) => this.#targets.get(id) ?? null;
    for (const { titre, target } of this.series.addExported(series, targetOf))
      this.say(
        target?.ligne ?? null,
        full(target === null ? 'manquantsDeTrop' : 'seriePleine', titre),
      );
  }

  /** The fields that a household's book receives from a row: each from the first row that has it, themes from all. */
  #planFills({ ligne, row }: KeyedRowToPlan, match: Match): LackingFields {
    const { livreId } = match.target;
    // Further data of an exported book is ignored if the book exists (docs/rules.md § 41).
    if (row.kept !== undefined) return NO_FILLS;
    if (livreId === null) {
      const themes = this.#moreThemes(ligne, row.themes, match);
      const details = this.#moreDetails(ligne, row.details, match);
      return {
        ...(themes.length > 0 && { themes }),
        ...(details.length > 0 && { details }),
      };
    }
    const { target } = match;
    const { auteurs, isbn, annee, nombrePages, emplacement, themes = [], details = [] } = row;
    const known = { auteurs, isbn, ...textsOf(row), annee, nombrePages, themes, details };
    const lacksPlace =
      emplacement.length > 0 && readEmplacementId(this.#database, livreId) === null;
    const lacking: LackingFields = {
      ...lackingFields(this.#database, livreId, known),
      ...(lacksPlace && { emplacement }),
      // Only for the household's own books (docs/rules.md § 57).
      ...(row.emprunteA === undefined &&
        isBorrowed(this.#database, livreId) && { emprunteA: null }),
    };
    const more = lacking.themes && this.#moreThemes(ligne, lacking.themes, match);
    const own = lacking.details && this.#moreDetails(ligne, lacking.details, match);
    const fills = Object.entries({ ...lacking, themes: undefined, details: undefined }).filter(
      ([field, value]) => value !== undefined && this.#isFirst(field, target),
    );
    return {
      ...Object.fromEntries(fills),
      ...(more && more.length > 0 && { themes: more }),
      ...(own && own.length > 0 && { details: own }),
    };
  }

  /** The row's themes that no earlier row gives its book, up to the limit. */
  #moreThemes(
    ligne: number,
    themes: readonly string[] = [],
    { target, ...match }: Match,
  ): string[] {
    if (themes.length === 0) return [];
    const key = targetKey(target);
    const held = this.#themes.get(key) ?? match.themes ?? [];
    const keys = new Set(held.map(textKey));
    const more = themes.filter((nom) => !keys.has(textKey(nom)));
    const left = more.splice(MAX_THEMES - held.length);
    if (left.length > 0) this.say(ligne, tooManyThemes(left));
    this.#themes.set(key, [...held, ...more]);
    return more;
  }

  /** The row's details whose names its book lacks, in the household and in earlier rows. */
  #moreDetails(
    ligne: number,
    details: readonly Detail[] = [],
    { target, detailNoms = [] }: Match,
  ): Detail[] {
    if (details.length === 0) return [];
    const key = targetKey(target);
    const noms =
      target.livreId === null
        ? detailNoms
        : detailsOfLivre(this.#database, target.livreId).map(({ nom }) => nom);
    const held = this.#details.get(key) ?? new Set(noms.map(detailKey));
    const more = details.filter(({ nom }) => !held.has(detailKey(nom)));
    const left = more.splice(MAX_DETAILS - held.size);
    if (left.length > 0) this.say(ligne, tooManyDetails(left));
    for (const { nom } of more) held.add(detailKey(nom));
    this.#details.set(key, held);
    return more;
  }

  #isFirst(what: string, target: Target): boolean {
    const decided = this.#decided.get(what) ?? new Set();
    this.#decided.set(what, decided);
    const count = decided.size;
    return decided.add(targetKey(target)).size > count;
  }

  #find(one: KeyedRowToPlan): Match | null {
    const earlier = this.#books.findEarlier(one.row, one.key);
    if (earlier !== undefined)
      return {
        target: { ligne: earlier.ligne, livreId: null },
        raison: raison('dejaLigne', { ligne: earlier.ligne }),
        ...(earlier.row.themes && { themes: earlier.row.themes }),
        ...(earlier.row.detailNoms && { detailNoms: earlier.row.detailNoms }),
      };
    const livreId = this.#books.findOwned(one.row, one.key);
    if (livreId === null) return null;
    this.#books.claim(one.row, livreId);
    return { target: { ligne: one.ligne, livreId }, raison: raison('dejaLa') };
  }

  #planSouhait(ligne: number, row: CleanRow): RowPlan {
    if (row.themes !== undefined) this.say(ligne, raison('souhaitSansThemes'));
    if (row.details !== undefined) this.say(ligne, raison('souhaitSansDetails'));
    if (this.#utilisateur === null) return { sort: 'refuse', raison: raison('souhaitPersonnel') };
    const souhait = souhaitOf(row);
    const key = souhaitKey(souhait);
    const earlier = this.#souhaits.get(key);
    if (earlier !== undefined)
      return { sort: 'present', raison: raison('dejaLigne', { ligne: earlier }) };
    if (souhaitIdByKeys(this.#database, this.#utilisateur, souhaitKeys(souhait)) !== null)
      return { sort: 'present', raison: raison('dejaSouhaite') };
    this.#souhaits.set(key, ligne);
    return { sort: 'souhait' };
  }

  #planStatutAndPret(
    one: KeyedRowToPlan,
    target: Target,
  ): Pick<Outcome, 'setsStatut' | 'opensPret'> {
    const { livreId } = target;
    if (this.#utilisateur === null && one.row.lectures.length > 0)
      this.say(one.ligne, raison('lectureSansPersonne'));
    if (livreId !== null && one.row.emprunteA && !isBorrowed(this.#database, livreId))
      this.say(one.ligne, raison('dejaANous'));
    const setsStatut = this.#setsStatut(one, livreId) && this.#isFirst('statut', target);
    const opensPret = this.#opensPret(one, livreId) && this.#isFirst('pret', target);
    if (opensPret && one.row.pret?.datePret === null) this.say(one.ligne, raison('pretSansDate'));
    return { setsStatut, opensPret };
  }

  #setsStatut({ ligne, row }: KeyedRowToPlan, livreId: number | null): boolean {
    if (row.statut === null) return false;
    if (this.#utilisateur !== null)
      return livreId === null || readStatut(this.#database, this.#utilisateur, livreId) === null;
    this.say(ligne, raison('statutSansPersonne'));
    return false;
  }

  #opensPret({ ligne, row }: KeyedRowToPlan, livreId: number | null): boolean {
    if (row.pret === null) return false;
    const { emprunteur, datePret } = row.pret;
    if (row.format === 'Numerique') {
      this.say(ligne, raison('numeriqueSansPret'));
      return false;
    }
    if (row.emprunteA !== undefined) {
      this.say(ligne, raison('empruntSansPret'));
      return false;
    }
    if (livreId === null) return true;
    const open = openPretOfLivre(this.#database, livreId);
    const isSame = (nom: string) => textKey(nom) === textKey(emprunteur);
    if (open !== undefined) {
      if (!isSame(open.emprunteur))
        this.say(ligne, raison('dejaPrete', { emprunteur: open.emprunteur }));
      return false;
    }
    return !pretsOfLivre(this.#database, livreId).some(
      (pret) => isSame(pret.emprunteur) && (datePret === null || isOfDay(pret.datePret, datePret)),
    );
  }
}

/** An import of before 1.1 wrote a day as its midnight in UTC. */
const isOfDay = (known: string, read: string): boolean =>
  localDay(new Date(known)) === localDay(new Date(read)) ||
  known.slice(0, 10) === read.slice(0, 10);

const full = (code: 'seriePleine' | 'manquantsDeTrop', titre: string): Raison =>
  raison(code, { titre, count: MAX_PLACES });
