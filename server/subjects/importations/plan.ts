import { localDay } from '#shared/days';
import { detailKey } from '#shared/detail-names';
import { MAX_DETAILS, type Detail } from '#shared/details';
import type { ExportLivre, ExportSerie } from '#shared/export';
import {
  type Decision,
  type ImportFormat,
  ImportationCounts,
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
import { cleOeuvre, normaliser, shortened, textKey } from '#shared/text';
import { MAX_THEMES } from '#shared/themes';
import { joined, mapped, CompressedList } from '#server/plumbing/common/compressed-list';
import type { Reader } from '#server/plumbing/database/connection';
import { SettledSignatures } from '#server/subjects/auteurs/auteurs';
import { readStatut } from '#server/subjects/lectures';
import { detailsOfLivre } from '#server/subjects/livres/details';
import { lackingFields, listSimilaires, type KnownFields } from '#server/subjects/livres/livres';
import {
  isBorrowed,
  livreIdsByIsbn,
  openPretOfLivre,
  ownedCles,
  readEmplacementId,
} from '#server/subjects/livres/read';
import { pretsOfLivre } from '#server/subjects/prets';
import { souhaitIdByKeys } from '#server/subjects/souhaits/souhaits';
import { raison, messageOf, type Raison } from '#server/plumbing/common/raisons';
import {
  cleOfLivre,
  Copies,
  type Origins,
  saidOfLivre,
  livreIdByBareTitre,
  originKey,
  originOfLivre,
} from './copies.ts';
import { keptDetails, tooManyDetails, withDetails } from './details.ts';
import { rowForAll, type ForAll } from './for-all.ts';
import { inSaidOrder } from './name-order.ts';
import type { CleanRow, ReadRow } from './rows.ts';
import { SeriePlan, targetKey, type Target } from './series.ts';
import type { Avertissement, Counts, LigneRecord } from './store.ts';
import { lostThemes, tooManyThemes, withThemes } from './themes.ts';
import {
  areOtherVolumes,
  isBareVolume,
  keyed,
  Noms,
  OwnedWork,
  pushTo,
  RowsOfWork,
  SharedKeys,
  volumeKey,
  type KeyedRow,
} from './works.ts';

export const LEFT_OUT = raison('laisseDeCote');

/** A file whose rows are to be planned, with what its person has said about all of it. */
interface FileToPlan {
  readonly rows: Iterable<Pick<LigneRecord, 'ligne' | 'read'>>;
  readonly decisions?: readonly Decision[];
  readonly format: ImportFormat;
  readonly utilisateur: string | null;
  /** Of a household's export, how its books are known here. */
  readonly origins?: Origins | undefined;
  readonly themes: readonly ThemePropose[];
  /** What no field takes, and which of it becomes details. */
  readonly perdus: readonly ColonnePerdue[];
  readonly ordreNoms?: OrdreNoms | undefined;
  readonly forAll?: ForAll | undefined;
  /** Titles of series that are not to be made or extended. */
  readonly seriesIgnorees?: readonly string[];
  /** Those of a household's export, and its readings of what nobody has here. */
  readonly series: readonly ExportSerie[];
  readonly lectures: Iterable<Notation>;
}

interface LackingFields extends Partial<KnownFields> {
  readonly emplacement?: readonly string[];
  /** The book was borrowed, and is the household's own by now. */
  readonly emprunteA?: null;
}

const NO_FILLS: LackingFields = {};

/** What becomes of one row. */
export interface PlannedOutcome {
  readonly ligne: number;
  readonly sort: RowOutcome;
  readonly raison: Raison | null;
  readonly pending: 0 | 1;
  /** The book that it is or becomes: its own, unless it is the household's or that of an earlier row. */
  readonly target: Target;
  readonly setsStatut: boolean;
  readonly opensPret: boolean;
  /** What the household's book gets, as it lacks it. */
  readonly fills: LackingFields;
}

export interface PlannedRow extends PlannedOutcome {
  /** With its themes and the order of its names as its person has said. */
  readonly read: ReadRow;
}

type RowPlan = Pick<PlannedOutcome, 'sort'> & Partial<PlannedOutcome>;

export interface Plan {
  readonly outcomes: Iterable<PlannedOutcome>;
  /** The same with what was read, from where the rows are kept. */
  readonly rows: Iterable<PlannedRow>;
  readonly series: SeriePlan;
  readonly counts: Pick<Counts, 'ofRows' | 'themesProposes' | 'perdusThemes' | 'perdus'>;
  readonly avertissements: Iterable<Avertissement>;
}

/**
 * Decides row by row what becomes of a file, against the household and the rows before (docs/rules.md § 36). Writes
 * nothing; the household must not change meanwhile. The rows are walked through, never held all at once.
 */
export function planAll(database: Reader, file: FileToPlan): Plan {
  const { format, ordreNoms, forAll = {}, themes, decisions = [] } = file;
  const decided = new Map(decisions.map(({ ligne, sort }) => [ligne, sort]));
  const kept = keptDetails(file.perdus);
  const taken = new Set(themes.filter(({ repris }) => repris).map(({ nom }) => textKey(nom)));
  const rows = mapped(file.rows, ({ ligne, read: undecided }): RowToPlan => {
    const auteurs = inSaidOrder(undecided.row.auteurs, format, ordreNoms);
    const named = { ...undecided, row: { ...rowForAll(undecided.row, forAll), auteurs } };
    const said = withDetails(withThemes(named, taken), kept);
    const decision = decided.get(ligne);
    const wantsTwin = decision === 'creer';
    return decision === 'ignorer'
      ? { ligne, read: { ...said, refus: LEFT_OUT, isPending: false }, wantsTwin }
      : { ligne, read: said, wantsTwin };
  });
  const { outcomes, ofRows, series, avertissements } = planRows(database, file, rows);
  return {
    outcomes,
    rows: joined(rows, outcomes, ({ read }, outcome): PlannedRow => ({ ...outcome, read })),
    series,
    counts: {
      ofRows,
      themesProposes: themes,
      perdus: file.perdus,
      perdusThemes: lostThemes(file.rows, taken),
    },
    avertissements,
  };
}

/** A function of its own: what it compares rows by is let go when it returns. */
function planRows(database: Reader, file: FileToPlan, rows: Iterable<RowToPlan>) {
  const { utilisateur } = file;
  const planner = new Planner(database, file, rows);
  const outcomes = new CompressedList<PlannedOutcome>();
  const ofRows = { ...NO_COUNTS };
  const countLecture = (lecture: Notation): void => {
    if (lecture.note !== null) ofRows.notes++;
    if (dateOfLecture(lecture) !== null) ofRows.datesDeLecture++;
  };
  for (const row of rows) {
    const planned = planner.plan(row);
    outcomes.push(planned);
    const { sort, setsStatut, opensPret } = planned;
    if (sort === 'nouveau') ofRows.nouveaux++;
    if (sort === 'present') ofRows.presents++;
    if (sort === 'souhait') ofRows.souhaits++;
    if (sort === 'lecture') ofRows.lectures++;
    if (isFilled(planned)) ofRows.completes++;
    if (setsStatut) ofRows.statuts++;
    if (opensPret) ofRows.prets++;
    // Nobody’s are left out.
    if (sort !== 'refuse' && utilisateur !== null) row.read.row.lectures.forEach(countLecture);
  }
  if (utilisateur !== null) for (const lecture of file.lectures) countLecture(lecture);
  planner.planExported(file.series);
  const { series, avertissements } = planner;
  ofRows.series = series.all.length;
  return { outcomes, ofRows, series, avertissements };
}

const NO_COUNTS: ImportationCounts = mapObject(ImportationCounts.properties, () => 0);

/** Whether a book of the household gets something of a row; a new one only gets what its rows say together. */
export const isFilled = ({ fills, target }: PlannedOutcome): boolean =>
  target.livreId !== null && Object.keys(fills).length > 0;

export const souhaitOf = ({ titre, auteurs, isbn }: CleanRow) => ({
  titre,
  auteur: joinAuteurs(auteurs),
  isbn,
});

interface RowToPlan {
  readonly ligne: number;
  readonly read: ReadRow;
  /** True where a book is wanted although it resembles another. */
  readonly wantsTwin: boolean;
}

interface KeyedRowToPlan extends RowToPlan {
  readonly keyed: KeyedRow;
}

/** The book that a row is already. */
interface Match {
  readonly target: Target;
  readonly raison: Raison;
  /** The themes that an earlier row gives it, and the names of its details. */
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

/** Of so many copies of one book it is looked up who has them. */
const MAX_COMPARED = 20;

/** So many keys of rows are looked for in the household at once. */
const MAX_ASKED = 1000;

class Planner {
  readonly series: SeriePlan;
  readonly avertissements = new CompressedList<Avertissement>();
  /** By the ids of books in a household's export. */
  readonly #targets = new Map<number, Target>();
  readonly #database: Reader;
  readonly #settled: SettledSignatures;
  readonly #utilisateur: string | null;
  /** Which rows are compared with others: most have an ISBN and a title of their own. */
  readonly #shared = { isbns: new SharedKeys(), cles: new SharedKeys() };
  readonly #byIsbn = new Map<string, KeyedRow[]>();
  readonly #works = new Map<string, RowsOfWork>();
  /** The household's books that a row may be, by work and names. */
  readonly #owned = new Map<string, OwnedWork>();
  readonly #souhaits = new Map<string, number>();
  /** What the household owns of the rows, asked for many at once. */
  readonly #ownedByIsbn = new Map<string, number>();
  readonly #ownedCles = new Set<string>();
  /**
   * The keys (`originKey`) of the books of a household's export: two records of it are two books, so that none is taken
   * for one that an earlier import has made of another.
   */
  readonly #origins = new Set<string>();
  /** The household's books that a record of the export is beyond doubt. */
  readonly #known = new Set<number>();
  readonly #exports: Origins | undefined;
  /** The household's books that rows of an export are. */
  readonly #claimed = new Set<number>();
  readonly #twinOrigins = new Set<string>();
  /** By the keys of several rows, the household's books that no earlier row is. */
  readonly #copies = new Map<string, Copies>();
  /** The books about which earlier rows have decided something, such as « statut » or « annee ». */
  readonly #decided = new Map<string, Set<number>>();
  readonly #fullSeries = new Set<string>();
  /** Of the books that several rows name: what these give them. */
  readonly #themes = new Map<ReturnType<typeof targetKey>, readonly string[]>();
  readonly #details = new Map<ReturnType<typeof targetKey>, Set<string>>();

  constructor(database: Reader, file: FileToPlan, rows: Iterable<RowToPlan>) {
    this.#database = database;
    this.#settled = new SettledSignatures(database);
    this.#utilisateur = file.utilisateur;
    this.#exports = file.origins;
    this.series = new SeriePlan(database, file.seriesIgnorees ?? []);
    this.#lookThrough(mapped(rows, ({ read }) => read.row));
  }

  #lookThrough(rows: Iterable<CleanRow>): void {
    let [isbns, cles] = [new Set<string>(), new Set<string>()];
    const askForOwned = (): void => {
      for (const [isbn, id] of livreIdsByIsbn(this.#database, [...isbns]))
        this.#ownedByIsbn.set(isbn, id);
      for (const cle of ownedCles(this.#database, [...cles])) this.#ownedCles.add(cle);
      [isbns, cles] = [new Set(), new Set()];
    };
    for (const { titre, isbn, kept } of rows) {
      const cle = cleOeuvre(titre);
      cles.add(cle);
      this.#shared.cles.add(cle);
      if (isbn !== null) {
        isbns.add(isbn);
        this.#shared.isbns.add(isbn);
      }
      const exported = kept?.livre;
      if (exported !== undefined) {
        const origin = originKey(normaliser(exported.titre), exported.dateAjout ?? '');
        if (this.#origins.has(origin)) this.#twinOrigins.add(origin);
        this.#origins.add(origin);
        const known = this.#exports?.find(exported);
        if (known !== undefined) this.#known.add(known);
      }
      if (cles.size + isbns.size >= MAX_ASKED) askForOwned();
    }
    askForOwned();
  }

  plan(row: RowToPlan): PlannedOutcome {
    const { ligne, read } = row;
    const one = { ...row, keyed: keyed(ligne, read.row) };
    for (const said of read.avertissements) this.#say(ligne, said);
    const target = { ligne, livreId: null };
    const nothing = { raison: null, setsStatut: false, opensPret: false, fills: NO_FILLS };
    const decided = this.#planRow(one);
    const pending = decided.sort === 'refuse' && read.isPending ? 1 : 0;
    const planned = { ligne, target, pending, ...nothing, ...decided } as const;
    const exported = read.row.kept?.livre;
    if (exported !== undefined && planned.sort !== 'refuse')
      this.#targets.set(exported.id, planned.target);
    return planned;
  }

  #say(ligne: number | null, said: Raison): void {
    this.avertissements.push({ ligne, raison: said });
  }

  #planRow(one: KeyedRowToPlan): RowPlan {
    const { row, refus, isPending } = one.read;
    if (isPending) {
      // Only its ISBN is known: it is refused until the catalogues answer.
      const found = one.wantsTwin ? null : this.#find(one);
      if (found !== null) return presentAs(found);
      this.#remember(one.keyed);
      return { sort: 'refuse', raison: refus };
    }
    if (refus !== null) return { sort: 'refuse', raison: refus };
    const isOwned = () => row.mayBeOwned === true && this.#findOwned(one) !== null;
    if (row.isSouhait && (one.wantsTwin || !isOwned())) return this.#planSouhait(one.ligne, row);
    const found = one.wantsTwin ? null : this.#find(one);
    if (row.isLecture === true) return this.#planLecture(found);
    if (found === null) return this.#planNew(one);
    const { target } = found;
    this.#tellOtherWork(one, target);
    this.#planSeries(one, target);
    const fills = this.#planFills(one, found);
    const champs = objectKeys(fills).map((field) => messageOf(nameOfField(field)));
    const said =
      champs.length === 0
        ? found.raison
        : raison('complete', { raison: messageOf(found.raison), champs });
    return {
      sort: 'present',
      target,
      raison: said,
      fills,
      ...this.#planStatutAndPret(one, target),
    };
  }

  /** A book of the house by its ISBN alone, under another title and by somebody else, may be a slip of the scanner. */
  #tellOtherWork({ ligne, read: { row }, keyed: { cle, noms } }: KeyedRowToPlan, target: Target) {
    const { livreId } = target;
    if (livreId === null || row.kept !== undefined || row.titre === '') return;
    if (this.#ownedByIsbn.get(row.isbn ?? '') !== livreId) return;
    if (cleOfLivre(this.#database, livreId) === cle) return;
    const { titre, auteurs } = saidOfLivre(this.#database, livreId);
    if (row.auteurs.length > 0 && auteurs.length > 0 && !noms.sharesWith(new Noms(auteurs)))
      this.#say(ligne, raison('isbnAutreTitre', { titre: shortened(titre, 100) }));
  }

  #planLecture(found: Match | null): RowPlan {
    if (this.#utilisateur === null) return { sort: 'refuse', raison: raison('lecturePersonnelle') };
    return found === null ? { sort: 'lecture' } : presentAs(found);
  }

  #planNew(one: KeyedRowToPlan): RowPlan {
    const { ligne, read } = one;
    const { row } = read;
    const { cle, noms } = one.keyed;
    const [sameIsbn] = this.#byIsbn.get(row.isbn ?? '') ?? [];
    const other = this.#works.get(cle)?.find(one.keyed, (planned) => planned.noms.sharesWith(noms));
    this.#remember(one.keyed);
    const target = { ligne, livreId: null };
    this.#planSeries(one, target);
    const rest = this.#planStatutAndPret(one, target);
    if (row.kept === undefined && sameIsbn !== undefined)
      this.#say(ligne, raison('memeIsbn', { ligne: sameIsbn.ligne }));
    else if (row.kept === undefined && other && !areOtherVolumes(other.row, row))
      this.#say(ligne, raison('memeOeuvre', { ligne: other.ligne }));
    return { sort: 'nouveau', ...rest };
  }

  #planSeries({ ligne, read: { row } }: KeyedRowToPlan, target: Target): void {
    for (const titre of this.series.add(row, target)) {
      // Told once: thousands of rows may follow.
      if (this.#fullSeries.has(titre)) continue;
      this.#fullSeries.add(titre);
      this.#say(ligne, full('seriePleine', titre));
    }
  }

  /** The series of a household's export, once all rows were planned. */
  planExported(series: readonly ExportSerie[]): void {
    const targetOf = (id: number) => this.#targets.get(id) ?? null;
    for (const { titre, target } of this.series.addExported(series, targetOf))
      this.#say(
        target?.ligne ?? null,
        full(target === null ? 'manquantsDeTrop' : 'seriePleine', titre),
      );
  }

  #remember(one: KeyedRow): void {
    const { isbn } = one.row;
    if (isbn !== null && this.#shared.isbns.has(isbn)) pushTo(this.#byIsbn, isbn, one);
    if (one.cle === '' || !this.#shared.cles.has(one.cle)) return;
    const work = this.#works.get(one.cle) ?? new RowsOfWork();
    this.#works.set(one.cle, work);
    work.add(one);
  }

  /** What a book of the household gets of a row; each field of the first row that has it, the themes of all. */
  #planFills({ ligne, read: { row } }: KeyedRowToPlan, match: Match): LackingFields {
    const { livreId } = match.target;
    // What a household's export has beside a book that is there stays out (docs/rules.md § 41).
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
      // What a file says of the house's books is said of its own ones (docs/rules.md § 57).
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

  /** Of a row's themes those that no earlier row gives its book, as many as it has room for. */
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
    if (left.length > 0) this.#say(ligne, tooManyThemes(left));
    this.#themes.set(key, [...held, ...more]);
    return more;
  }

  /** Of a row's details those whose names its book has not yet, of the household or of an earlier row. */
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
    if (left.length > 0) this.#say(ligne, tooManyDetails(left));
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
    const earlier = this.#findEarlier(one);
    if (earlier !== undefined)
      return {
        target: { ligne: earlier.ligne, livreId: null },
        raison: raison('dejaLigne', { ligne: earlier.ligne }),
        ...(earlier.row.themes && { themes: earlier.row.themes }),
        ...(earlier.row.detailNoms && { detailNoms: earlier.row.detailNoms }),
      };
    const livreId = this.#findOwned(one);
    if (livreId !== null && one.read.row.kept !== undefined) this.#claimed.add(livreId);
    const target = { ligne: one.ligne, livreId };
    return livreId === null ? null : { target, raison: raison('dejaLa') };
  }

  #findEarlier({ read: { row }, keyed: one }: KeyedRowToPlan): KeyedRow | undefined {
    // An export has one record a book: two of them are never the same book.
    if (row.kept !== undefined) return undefined;
    const same = this.#byIsbn
      .get(row.isbn ?? '')
      ?.find((other) => row.isOfSet === undefined || volumeKey(other.row) === volumeKey(row));
    if (same !== undefined) return same;
    return this.#works
      .get(one.cle)
      ?.findSame(
        one,
        (other) =>
          (row.isbn === null || other.row.isbn === null) &&
          other.noms.sharesWith(one.noms) &&
          !areOtherVolumes(other.row, row),
      );
  }

  #findOwned(one: KeyedRowToPlan): number | null {
    const { row } = one.read;
    const { cle } = one.keyed;
    const itself = this.#findItself(row);
    if (itself !== undefined) return itself;
    const ofIsbn = row.isbn === null || row.isOfSet ? undefined : this.#ownedByIsbn.get(row.isbn);
    const sameIsbn = ofIsbn === undefined || this.#isAnother(row, ofIsbn) ? null : ofIsbn;
    if (sameIsbn !== null && !this.#claimed.has(sameIsbn)) return sameIsbn;
    if (cle === '' && row.isbn === null && row.titre !== '')
      return livreIdByBareTitre(this.#database, row.titre);
    if (!this.#ownedCles.has(cle)) return sameIsbn;
    const owned = this.#ownedWork(one);
    const volumes = row.series.filter((serie) => isBareVolume(row, serie));
    const [only, ...others] = volumes;
    if (only !== undefined && others.length === 0)
      return owned.findVolume(only, (id) => this.series.numeroIn(only, id)) ?? null;
    const isOther = (id: number) => volumes.some((serie) => this.series.hasOtherNumero(serie, id));
    const alike = owned.ids.filter((id) => !isOther(id));
    return this.#freeCopy(row, alike) ?? alike[0] ?? sameIsbn;
  }

  /** Of several copies one that no other row of an export is: lent as its book is lent there, else any. */
  #freeCopy({ kept, pret }: CleanRow, ids: readonly number[]): number | undefined {
    if (kept === undefined) return undefined;
    const free = ids.filter((id) => !this.#claimed.has(id));
    if (free.length < 2) return free[0];
    const wanted = textKey(pret?.emprunteur ?? '');
    const isLentAlike = (id: number) =>
      textKey(openPretOfLivre(this.#database, id)?.emprunteur ?? '') === wanted;
    return free.slice(0, MAX_COMPARED).find(isLentAlike) ?? free[0];
  }

  /** Read once for all rows of a work that name the same authors: there may be thousands of them, and of its books. */
  #ownedWork({ read: { row }, keyed: { cle } }: KeyedRowToPlan): OwnedWork {
    const isbn = row.isbn !== null && this.#ownedByIsbn.has(row.isbn) ? row.isbn : null;
    const isOfSet = row.isOfSet !== undefined;
    const key = JSON.stringify([cle, isbn, isOfSet, row.kept !== undefined, row.auteurs]);
    const known = this.#owned.get(key);
    if (known !== undefined) return known;
    const work = { isbn, cleOeuvre: cle };
    const similar = listSimilaires(this.#database, work, row.auteurs, this.#settled);
    const owned = new OwnedWork(
      similar.filter(
        (id) => !this.#isAnother(row, id) && (!isOfSet || cleOfLivre(this.#database, id) === cle),
      ),
    );
    // Most works are one book, asked for by one row.
    if (owned.ids.length > 1) this.#owned.set(key, owned);
    return owned;
  }

  /**
   * The very book that an export tells of, whatever its title is by now; of several copies one that was entered at that
   * instant.
   */
  #findItself({ kept, pret }: CleanRow): number | undefined {
    const exported = kept?.livre;
    if (exported === undefined) return undefined;
    const known = this.#exports?.find(exported);
    if (known !== undefined) return known;
    const titre = normaliser(exported.titre);
    const dateAjout = exported.dateAjout ?? '';
    const key = originKey(titre, dateAjout);
    const copies = this.#copies.get(key) ?? new Copies(this.#database, titre, dateAjout);
    if (this.#twinOrigins.has(key)) this.#copies.set(key, copies);
    const copy = copies.take(pret?.emprunteur ?? null, this.#known);
    return copy ?? this.#restored(exported);
  }

  /** A book that was restored under its own id before the household noted which record it was made of. */
  #restored(exported: ExportLivre): number | undefined {
    const id = this.#exports?.findRestored(exported);
    return id === undefined ||
      this.#claimed.has(id) ||
      this.#known.has(id) ||
      this.#origins.has(originOfLivre(this.#database, id))
      ? undefined
      : id;
  }

  #isAnother(row: CleanRow, livreId: number): boolean {
    return row.kept !== undefined && this.#origins.has(originOfLivre(this.#database, livreId));
  }

  #planSouhait(ligne: number, row: CleanRow): RowPlan {
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
  ): Pick<PlannedOutcome, 'setsStatut' | 'opensPret'> {
    const { livreId } = target;
    if (this.#utilisateur === null && one.read.row.lectures.length > 0)
      this.#say(one.ligne, raison('lectureSansPersonne'));
    if (livreId !== null && one.read.row.emprunteA && !isBorrowed(this.#database, livreId))
      this.#say(one.ligne, raison('dejaANous'));
    const setsStatut = this.#setsStatut(one, livreId) && this.#isFirst('statut', target);
    const opensPret = this.#opensPret(one, livreId) && this.#isFirst('pret', target);
    if (opensPret && one.read.row.pret?.datePret === null)
      this.#say(one.ligne, raison('pretSansDate'));
    return { setsStatut, opensPret };
  }

  #setsStatut({ ligne, read }: KeyedRowToPlan, livreId: number | null): boolean {
    if (read.row.statut === null) return false;
    if (this.#utilisateur !== null)
      return livreId === null || readStatut(this.#database, this.#utilisateur, livreId) === null;
    this.#say(ligne, raison('statutSansPersonne'));
    return false;
  }

  #opensPret({ ligne, read: { row } }: KeyedRowToPlan, livreId: number | null): boolean {
    if (row.pret === null) return false;
    const { emprunteur, datePret } = row.pret;
    if (row.format === 'Numerique') {
      this.#say(ligne, raison('numeriqueSansPret'));
      return false;
    }
    if (row.emprunteA !== undefined) {
      this.#say(ligne, raison('empruntSansPret'));
      return false;
    }
    if (livreId === null) return true;
    const open = openPretOfLivre(this.#database, livreId);
    const isSame = (nom: string) => textKey(nom) === textKey(emprunteur);
    if (open !== undefined) {
      if (!isSame(open.emprunteur))
        this.#say(ligne, raison('dejaPrete', { emprunteur: open.emprunteur }));
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
