import {
  exportKindNames,
  MAX_KEPT_ID,
  type ExportKind,
  type ExportLivre,
  type ExportRecord,
  type ExportSouhait,
} from '#shared/export';
import type { ImportCounts, Message } from '#shared/history';
import type { Couverture } from '#shared/couvertures';
import type { Body } from '#shared/endpoint';
import { MAX_LENGTHS } from '#shared/fields';
import type { Decision, executerImportation } from '#shared/importations';
import { textsOf, type LivreSaisi } from '#shared/livres';
import { Refusal } from '#shared/refusals';
import { souhaitKeys } from '#shared/souhaits';
import { cleRegroupement, shortened, textKey } from '#shared/text';
import { NO_POSITION } from '#shared/lectures';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { PreservedId, RestoredRecord } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import {
  addToModification,
  importationModifications,
  saveModification,
  captureChangeset,
  captureLargeChangeset,
  type Changes,
  type PendingChangeset,
} from '#server/subjects/modifications/changesets';
import type { SavedModification, Outcome } from '#server/plumbing/writes/operations';
import { forgetTrace, ownerOfAll, type Change } from '#server/plumbing/writes/traces';
import {
  auteurOfForme,
  auteurRecordByKey,
  deleteUnused,
  insertAuteur,
  insertRefus,
  listRefus,
  updateNoms,
  restoreArchivedAuteur,
} from '#server/subjects/auteurs/auteurs';
import { idPair } from '#server/subjects/auteurs/merging';
import { askAbout } from '#server/subjects/complements';
import { giveCover } from '#server/subjects/couvertures/cover-store';
import { LocationFinder } from '#server/subjects/emplacements';
import { mayBeReader } from '#server/subjects/identity/members';
import { oeuvreOf, writeStatut } from '#server/subjects/lectures';
import {
  addLivreEntry,
  completer,
  restaurerOrdre,
  updateLivre,
} from '#server/subjects/livres/livres';
import { readNoms } from '#server/subjects/livres/details';
import { readFormat } from '#server/subjects/livres/read';
import { insertPret, preter, pretsOfLivre } from '#server/subjects/prets';
import { undoRecords } from '#server/subjects/modifications/undo';
import { list as souhaitList, writePlaceOfSouhait } from '#server/subjects/souhaits/souhaits';
import { chooseDetails, chooseThemes } from './proposals.ts';
import { forAllOf } from './questions.ts';
import { KnownLectures, type LectureEntry } from './lectures.ts';
import { FileKeys } from './matching.ts';
import { noteOrigin } from './origins.ts';
import {
  decidedRow,
  isFilled,
  LEFT_OUT,
  planAll,
  souhaitOf,
  type Plan,
  type PlannedRow,
} from './plan.ts';
import type { CleanRow, ReadRow } from './rows.ts';
import type { Target } from './series.ts';
import {
  allLignes,
  countLignes,
  isOwnExport,
  keepOutcome,
  listLignesOf,
  readReste,
  requireRecord,
  UNDO_MS,
  updateImportation,
  writeAvertissements,
  type Counts,
  type ImportationRecord,
  type LigneRecord,
  type RestCounts,
} from './store.ts';

export type Choices = Body<typeof executerImportation>;

/** A plan without choices, with the household's revision at its time. */
export interface PlanOfRevision {
  readonly revision: number;
  readonly plan: Plan;
}

/** Written rows are kept in memory up to this number. */
const MAX_HELD = 2000;

/** Plans each row anew if the household may have changed since (docs/rules.md § 36). */
export function executer(
  records: Records<Transaction>,
  record: ImportationRecord,
  choices: Choices,
  utilisateur: string | null,
  planned?: PlanOfRevision,
): SavedModification | undefined {
  const { database } = records;
  const { id, etat, format, counts: before } = record;
  const isAgain = etat === 'annulee';
  const isGivenBack = () => records.isEmpty() || isOwnExport(database, before.bibliotheque);
  // Taken before the import's books, so that later additions are the import's.
  const date = Date.now();
  const isRestored =
    format === 'rayonnage' && (isAgain ? before.isRestored === true : isGivenBack());
  const decided = isAgain ? choicesOf(before, decisionsAgain(database, id)) : choices;
  const importation = { ...record, counts: { ...before, isRestored } };
  const work = () => importLignes(records, importation, allLignes(database, id), decided, planned);
  const open = tracedByLength(records, id)(records, work);
  const { plan, livres, asked, rest } = open.result;
  const { ordreNoms, datesEntree } = decided;
  const [decisions, seriesIgnorees] = [decided.decisions ?? [], decided.seriesIgnorees ?? []];
  const counts = {
    ...importation.counts,
    ...plan.counts,
    rest,
    seriesProposees: [],
    seriesIgnorees,
    ...(ordreNoms && { ordreNoms }),
    ...(datesEntree === true && { datesEntree }),
    forAll: forAllOf(decided),
    decisions: decisions.filter(({ ligne, sort }) => sort === 'creer' && asked.has(ligne)),
  };
  updateImportation(database, id, { etat: 'faite', date, counts });
  writeAvertissements(database, id, plan.avertissements);
  askAbout(database, livres);
  return keepImportation(records, open, { id, counts }, utilisateur);
}

export const choicesOf = (
  { seriesIgnorees, ordreNoms, datesEntree, forAll, decisions }: Counts,
  others: readonly Decision[] = [],
): Choices => ({
  seriesIgnorees,
  ...(ordreNoms && { ordreNoms }),
  ...(datesEntree === true && { datesEntree }),
  ...forAll,
  decisions: [...decisions, ...others],
});

/** The decisions about the rows of an import that was undone. */
function decisionsAgain(database: Reader, id: number): Decision[] {
  const leftOut = listLignesOf(database, id, { sort: 'refuse', raison: LEFT_OUT });
  const made = listLignesOf(database, id, { sort: 'nouveau' });
  return [
    ...leftOut.map(({ ligne }): Decision => ({ ligne, sort: 'ignorer' })),
    // A book that stayed when the import was undone is there already.
    ...made
      .filter(({ livreId }) => readFormat(database, livreId ?? 0) === undefined)
      .map(({ ligne }): Decision => ({ ligne, sort: 'creer' })),
  ];
}

export function planLignes(
  database: Reader,
  { id, format, utilisateur, counts }: ImportationRecord,
  lignes: Iterable<LigneRecord>,
  choices: Choices,
): Plan {
  const { decisions, seriesIgnorees, ordreNoms, themes, details } = choices;
  const keys = new FileKeys(database, counts.bibliotheque);
  for (const { read } of lignes) keys.add(read.row);
  return planAll(database, {
    keys,
    format,
    ordreNoms,
    forAll: forAllOf(choices),
    utilisateur: utilisateur || null,
    rows: lignes,
    decisions: decisions ?? [],
    seriesIgnorees: seriesIgnorees ?? [],
    themes: chooseThemes(counts.themesProposes, themes),
    perdus: chooseDetails(counts.perdus, details, () => readNoms(database)),
    series: readReste(database, id, 'series'),
    lectures: readReste(database, id, 'lectures'),
  });
}

export function importLignes(
  records: Records<Transaction>,
  importation: ImportationRecord,
  lignes: Iterable<LigneRecord>,
  choices: Choices,
  planned?: PlanOfRevision,
) {
  const { database } = records;
  const isHousehold = importation.format === 'rayonnage';
  const writer = new LigneWriter(records, importation, choices.datesEntree === true);
  // Authors that the archive keeps apart are added before its rows are compared with the household.
  if (isHousehold) writer.begin();
  const plan =
    planned?.revision === database.revision()
      ? planned.plan
      : planLignes(database, importation, lignes, choices);
  for (const row of plan.rows) writer.apply(row);
  const placeIds = plan.series.make(database, writer.livreIdOf, writer.ownId);
  if (isHousehold) writer.finish(placeIds);
  writer.finishStanding();
  return { plan, livres: writer.livres, asked: writer.asked, rest: writer.rest };
}

/** All entered fields of a book: a new field breaks the compilation where entries are built. */
type CompleteEntry = Required<LivreSaisi>;

/** Counts as chosen, like a picture that a person takes for a book. */
const coverOf = ({ couverture }: CleanRow): Pick<Couverture, 'cle' | 'source'> | null =>
  couverture === undefined ? null : { cle: couverture, source: 'personne' };

const entryOfRow = (row: CleanRow): CompleteEntry => ({
  titre: row.titre,
  format: row.format,
  auteurs: [...row.auteurs],
  isbn: row.isbn,
  typeDocument: row.typeDocument ?? null,
  nombrePages: row.nombrePages,
  coverUrl: row.coverUrl ?? null,
  ...textsOf(row),
  annee: row.annee,
  themes: [...(row.themes ?? [])],
  details: [...(row.details ?? [])],
  emprunteA: row.emprunteA ?? null,
});

const entryOfExport = (livre: ExportLivre, { isbn }: CleanRow): CompleteEntry => ({
  titre: livre.titre,
  format: livre.format,
  auteurs: livre.auteurs.map(({ nom }) => nom),
  isbn,
  typeDocument: livre.typeDocument,
  nombrePages: livre.nombrePages,
  coverUrl: livre.coverUrl,
  ...textsOf(livre),
  annee: livre.annee,
  themes: livre.themes,
  details: livre.details,
  emprunteA: livre.emprunteA,
});

/** Suffix of a reader's name that only an archive knows, in every language. */
const OF_AN_ARCHIVE = ' (archive)';

/**
 * Writes a plan. For a household's export also the records besides rows: authors and refused merges before the books,
 * the rest after them. Records that the household has already are unchanged (docs/rules.md § 41).
 */
class LigneWriter {
  readonly livres: number[] = [];
  /** The rows to look up in catalogues. */
  readonly asked = new Set<number>();
  readonly #records: Records<Transaction>;
  readonly #database: Transaction;
  readonly #importation: ImportationRecord;
  readonly #utilisateur: string | null;
  /** Whether records keep their ids, and books who added them, and when: that is a restoration (docs/rules.md § 41). */
  readonly #isRestored: boolean;
  readonly #datesEntree: boolean;
  /** The ids that are taken, by table. */
  readonly #taken = new Map<string, Set<number>>();
  readonly #livreIds = new Map<number, number>();
  /** Ids of the file → ids of this household. */
  readonly #auteurs = new Map<number, number>();
  readonly #ids = new Map<ExportKind, Map<number, number>>();
  /** New wishes of an export, which has their ranks. */
  readonly #souhaits: Pick<ExportSouhait, 'id' | 'rang' | 'placeId'>[] = [];
  /** The locations of new books in the file, by its id or by names. */
  readonly #pendingPlacements: {
    readonly livreId: number;
    readonly where: number | readonly string[];
    readonly rang: number | null;
  }[] = [];
  readonly #paths = new Map<string, readonly string[]>();
  /** The names of who added books, by the archive's names. */
  readonly #adders = new Map<string, string>();
  #lectures: KnownLectures | null = null;
  readonly #counts = { shared: 0, personal: 0, refused: 0, returned: 0 };
  readonly #filled = new Set<string>();
  /** One date for all new books of the import, so that « Chez nous » does not show them as new. */
  readonly #arrival = new Date().toISOString();

  /** @param datesEntree whether new books get the entry date of the file */
  constructor(records: Records<Transaction>, importation: ImportationRecord, datesEntree: boolean) {
    this.#datesEntree = datesEntree;
    this.#records = records;
    this.#database = records.database;
    this.#importation = importation;
    this.#utilisateur = importation.utilisateur || null;
    this.#isRestored = importation.counts.isRestored === true;
  }

  /** An id that nothing here ever had. */
  readonly ownId: PreservedId = (table, id) => {
    if (!this.#isRestored || id > MAX_KEPT_ID) return null;
    const taken = this.#taken.get(table) ?? this.#records.idsEver(table);
    this.#taken.set(table, taken);
    const isRow = () => this.#database.value(`SELECT 1 FROM "${table}" WHERE id = ?`, id);
    return taken.has(id) || isRow() !== undefined ? null : id;
  };

  get rest(): RestCounts {
    return { ...this.#counts, filled: this.#filled.size };
  }

  begin(): void {
    const auteurs = this.#read('auteurs');
    // Refused merges come first: authors that the archive keeps apart stay so, whatever merged
    // names it has.
    for (const { id, nom } of auteurs) {
      const key = cleRegroupement(nom);
      const known = auteurRecordByKey(this.#database, key) ?? auteurOfForme(this.#database, nom);
      if (known !== undefined) this.#auteurs.set(id, known.id);
    }
    for (const { id, ...auteur } of auteurs) {
      const { nom } = auteur;
      if (this.#auteurs.has(id)) continue;
      let known = auteurRecordByKey(this.#database, cleRegroupement(nom))?.id;
      if (known === undefined) {
        known =
          restoreArchivedAuteur(this.#database, nom) ??
          insertAuteur(this.#database, nom, this.ownId('Auteur', id));
        updateNoms(this.#database, { ...auteur, id: known });
      }
      this.#auteurs.set(id, known);
    }
    const known = new Set(listRefus(this.#database).map(String));
    for (const { premierId, secondId } of this.#read('refus')) {
      const [a, b] = [this.#auteurs.get(premierId), this.#auteurs.get(secondId)];
      if (a === undefined || b === undefined || a === b) continue;
      const pair = idPair(a, b);
      if (known.has(String(pair))) continue;
      insertRefus(this.#database, pair);
      this.#counts.refused++;
    }
  }

  apply(planned: PlannedRow): void {
    const { ligne, sort, fills } = planned;
    const row = decidedRow(planned);
    if (planned.pending === 1) this.asked.add(ligne);
    if (sort === 'nouveau') this.#livreIds.set(ligne, this.#addLivre(row, planned.read.entree));
    if (sort === 'souhait') this.#addSouhait(row);
    const livreId = this.livreIdOf(planned.target);
    if (livreId !== null) {
      this.#addStatutAndPrets(livreId, row, planned);
      if (Object.keys(fills).length > 0) this.#fill(livreId, fills);
      if (isFilled(planned)) this.#filled.add(`livres ${livreId}`);
    }
    // A wished book may have been read elsewhere.
    const isOfNoBook = sort === 'lecture' || (row.isSouhait && sort !== 'refuse');
    if (livreId !== null || isOfNoBook) this.#addLectures(livreId, row);
    keepOutcome(this.#database, this.#importation.id, { ...planned, livreId });
  }

  /** The household's book of a row, or the one created from it. */
  readonly livreIdOf = ({ ligne, livreId }: Target): number | null =>
    livreId ?? this.#livreIds.get(ligne) ?? null;

  #addLivre(row: CleanRow, entree: ReadRow['entree']): number {
    const kept = row.kept?.livre;
    const added = this.#isRestored ? kept : undefined;
    const ajoutePar = added === undefined ? this.#utilisateur : this.#adderOf(added);
    const entry = kept === undefined ? entryOfRow(row) : entryOfExport(kept, row);
    const id = addLivreEntry(this.#database, entry, ajoutePar, {
      id: kept === undefined ? null : this.ownId('Livre', kept.id),
      dateAjout:
        added?.dateAjout ?? (this.#datesEntree ? entree?.date : undefined) ?? this.#arrival,
    });
    giveCover(this.#database, 'Livre', id, kept === undefined ? coverOf(row) : kept.couverture);
    this.livres.push(id);
    const where = kept === undefined ? this.#pathOf(row.emplacement) : kept.emplacementId;
    if (where !== null)
      this.#pendingPlacements.push({ livreId: id, where, rang: kept?.rang ?? null });
    return id;
  }

  /**
   * The name of the person who added a book. A name that is no member's is marked as the archive's, so that a forged
   * archive cannot speak for a future member; an archive of this household keeps its names.
   */
  #adderOf({ ajoutePar: nom }: ExportLivre): string | null {
    if (nom === null || nom.endsWith(OF_AN_ARCHIVE)) return nom;
    const adder = this.#adders.get(nom) ?? this.#namedHere(nom);
    this.#adders.set(nom, adder);
    return adder;
  }

  #namedHere(nom: string): string {
    const { bibliotheque } = this.#importation.counts;
    const isKnown =
      nom === this.#utilisateur ||
      mayBeReader(this.#database, nom) ||
      isOwnExport(this.#database, bibliotheque);
    const most = MAX_LENGTHS.nom - OF_AN_ARCHIVE.length;
    return isKnown ? nom : `${shortened(nom, most)}${OF_AN_ARCHIVE}`;
  }

  /** Cached, so that a hundred thousand rows share the lists of their locations. */
  #pathOf(names: readonly string[]): readonly string[] | null {
    if (names.length === 0) return null;
    const key = JSON.stringify(names);
    const path = this.#paths.get(key) ?? names;
    this.#paths.set(key, path);
    return path;
  }

  #addSouhait(row: CleanRow): void {
    if (this.#utilisateur === null) throw new Refusal('IDENTITE_INCONNUE');
    const kept = row.kept?.souhait;
    const { titre, auteur, isbn } = kept ?? souhaitOf(row);
    const souhait = { titre, auteur, isbn };
    if (kept === undefined) {
      const { id } = souhaitList.add(this.#database, this.#utilisateur, souhait);
      giveCover(this.#database, 'Souhait', id, coverOf(row));
      return;
    }
    const { coverUrl, dateAjout, rang, placeId } = kept;
    const fields = { ...souhait, ...souhaitKeys(souhait), coverUrl };
    const former = { dateAjout, id: this.ownId('Souhait', kept.id) };
    const id = souhaitList.insert(this.#database, this.#utilisateur, fields, former);
    giveCover(this.#database, 'Souhait', id, kept.couverture);
    this.#souhaits.push({ id, rang, placeId });
  }

  #addStatutAndPrets(
    livreId: number,
    { statut, pret, kept }: CleanRow,
    { setsStatut, opensPret }: PlannedRow,
  ): void {
    // Only earlier loans: an open one of this import may have begun at the same instant as a
    // returned one.
    const known = kept?.livre ? pretsOfLivre(this.#database, livreId) : [];
    if (setsStatut && statut !== null && this.#utilisateur !== null)
      writeStatut(this.#database, this.#utilisateur, livreId, statut);
    const open = kept?.livre?.prets.find(({ dateRetour }) => dateRetour === null);
    if (opensPret && open !== undefined && this.#isRestored) this.#addPret(open, livreId);
    else if (opensPret && pret !== null) {
      const { emprunteur, datePret, dateRetourPrevue = null } = pret;
      const from = datePret ?? new Date().toISOString();
      preter(this.#database, livreId, { emprunteur, datePret: from, dateRetourPrevue });
    }
    if (kept?.livre) {
      this.#idsOf('livres').set(kept.livre.id, livreId);
      const { bibliotheque } = this.#importation.counts;
      if (bibliotheque !== undefined) noteOrigin(this.#database, bibliotheque, kept.livre, livreId);
      this.#addPrets(kept.livre, livreId, new Set(known.map(pretKey)));
    }
  }

  #addPrets({ prets }: ExportLivre, livreId: number, known: ReadonlySet<string>): void {
    for (const pret of prets) {
      if (pret.dateRetour === null || known.has(pretKey(pret))) continue;
      this.#addPret(pret, livreId);
      this.#counts.returned++;
    }
  }

  #addPret(pret: ExportLivre['prets'][number], livreId: number): void {
    insertPret(this.#database, { ...pret, id: this.ownId('Pret', pret.id), livreId });
  }

  /** Adds missing readings of the household's book, or of none (`null`) (docs/rules.md § 55). */
  #addLectures(livreId: number | null, { titre, auteurs, isbn, lectures }: CleanRow): void {
    if (lectures.length === 0) return;
    const oeuvre =
      livreId === null ? { livreId, titre, auteurs, isbn } : oeuvreOf(this.#database, livreId);
    this.#noteLectures(lectures.map((lecture) => ({ ...oeuvre, ...lecture })));
  }

  #noteLectures(read: readonly LectureEntry[]): void {
    if (this.#utilisateur === null) return;
    this.#lectures ??= new KnownLectures(this.#database, this.#utilisateur, this.ownId);
    // Dry runs stored before an update lack the position.
    const whole = read.map((lecture) => ({ ...NO_POSITION, ...lecture }));
    for (const restored of this.#lectures.addAll(whole)) this.#noteRestored('lectures', restored);
  }

  #fill(livreId: number, { emplacement, ...fields }: PlannedRow['fills']): void {
    completer(this.#database, livreId, fields);
    if (emplacement !== undefined)
      this.#pendingPlacements.push({ livreId, where: emplacement, rang: null });
  }

  finishStanding(): void {
    if (this.#pendingPlacements.length === 0) return;
    const finder = new LocationFinder(this.#database, () => this.#noteMade('emplacements'));
    const ordered: {
      readonly id: number;
      readonly emplacementId: number;
      readonly rang: number;
    }[] = [];
    for (const { livreId, where, rang } of this.#pendingPlacements) {
      const emplacementId =
        typeof where === 'number'
          ? this.#idsOf('emplacements').get(where)
          : finder.findOrCreatePath(where);
      if (emplacementId === undefined || emplacementId === null) continue;
      updateLivre(this.#database, livreId, { emplacementId });
      if (rang !== null) ordered.push({ id: livreId, emplacementId, rang });
    }
    restaurerOrdre(this.#database, ordered);
  }

  /** @param placeIds ids of places of series: in the export → in this household */
  finish(placeIds: ReadonlyMap<number, number>): void {
    deleteUnused(this.#database, [...this.#auteurs.values()]);
    this.#finishSouhaits(placeIds);
    for (const kind of exportKindNames) this.#restore(kind);
    const livreIds = this.#idsOf('livres');
    this.#noteLectures(
      this.#read('lectures').map(({ id: exportedId, ...lecture }) => ({
        ...lecture,
        exportedId,
        livreId: livreIds.get(lecture.livreId ?? 0) ?? null,
      })),
    );
  }

  #restore(kind: ExportKind): void {
    const restore = this.#records.restoreOf(kind);
    if (restore === undefined) return;
    const idsOf = (of: ExportKind) => this.#idsOf(of);
    const into = { utilisateur: this.#utilisateur, idsOf, ownId: this.ownId };
    const { table } = this.#records.kind(this.#records.collectionOf(kind)).projection;
    for (const restored of restore(this.#database, this.#read(kind), into)) {
      giveCover(this.#database, table, restored.id, restored.couverture);
      this.#noteRestored(kind, restored);
    }
  }

  #noteRestored(kind: ExportKind, { id, isFilled }: RestoredRecord): void {
    if (isFilled) this.#filled.add(`${kind} ${id}`);
    else this.#noteMade(kind);
  }

  #noteMade(kind: ExportKind): void {
    const { owner } = this.#records.kind(this.#records.collectionOf(kind));
    const isPersonal = owner !== undefined;
    this.#counts[isPersonal ? 'personal' : 'shared']++;
  }

  #idsOf(kind: ExportKind): Map<number, number> {
    const ids = this.#ids.get(kind) ?? new Map<number, number>();
    this.#ids.set(kind, ids);
    return ids;
  }

  /** Ranks new wishes in their former order after those of the list, and links them to their places. */
  #finishSouhaits(placeIds: ReadonlyMap<number, number>): void {
    if (this.#utilisateur === null || this.#souhaits.length === 0) return;
    const made = this.#souhaits.toSorted((a, b) => a.rang - b.rang);
    const ids = new Set(made.map(({ id }) => id));
    const before = souhaitList.ids(this.#database, this.#utilisateur);
    souhaitList.rank(this.#database, this.#utilisateur, [
      ...before.filter((id) => !ids.has(id)),
      ...ids,
    ]);
    for (const { id, placeId } of made) {
      const place = placeId === null ? undefined : placeIds.get(placeId);
      if (place !== undefined) writePlaceOfSouhait(this.#database, id, place);
    }
  }

  #read<K extends ExportKind>(kind: K): ExportRecord<K>[] {
    return readReste(this.#database, this.#importation.id, kind);
  }
}

const pretKey = ({ emprunteur, datePret }: { emprunteur: string; datePret: string }): string =>
  `${textKey(emprunteur)}\n${datePret}`;

// The history entry of an import

interface UndoCounts {
  readonly retires: number;
  readonly gardes: number;
}

/**
 * Saves the changes of an import, or of later catalogue answers, as its modification. It is everyone's if it changed
 * anything shared, and then discloses nothing of the person's wishes and statuses (docs/rules.md § 39); without
 * changes there is none.
 */
export function keepImportation(
  records: Records<Transaction>,
  open: PendingChangeset<unknown, Changes>,
  { id, counts: { ofRows, rest } }: { id: number; counts: Pick<Counts, 'ofRows' | 'rest'> },
  utilisateur: string | null,
): SavedModification | undefined {
  const { database } = records;
  const { nouveaux, prets, series, souhaits, statuts } = ofRows;
  if (open.changes.length === 0) {
    forgetTrace(database, open.id);
    return undefined;
  }
  const shared = someOf({
    livres: nouveaux,
    prets,
    pretsRendus: rest.returned,
    series,
    autresFiches: rest.shared,
    fichesCompletees: rest.filled,
    fusionsRefusees: rest.refused,
  });
  const personal = someOf({ souhaits, statuts, autresFiches: rest.personal });
  const isPersonal = Object.keys(shared).length === 0 && ownerOfAll(open.changes) !== '';
  const message: Message = { fait: 'importation', ...(isPersonal ? personal : shared) };
  const proprietaire = isPersonal ? (utilisateur ?? '') : '';
  const kept = importationModifications(database, id).find(
    (saved) => saved.proprietaire === proprietaire,
  );
  if (kept === undefined) {
    const details = { message, utilisateur, proprietaire, importationId: id };
    return saveModification(records, open, { operation: 'importer', ...details });
  }
  const saved = { id: kept.id, message };
  addToModification(records, open, saved);
  return saved;
}

/** The counts above zero. */
const someOf = (counts: ImportCounts): ImportCounts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

const tracedByLength = ({ database }: Records, id: number): typeof captureLargeChangeset =>
  countLignes(database, id) > MAX_HELD ? captureLargeChangeset : captureChangeset;

/**
 * Undoes an import; records changed since stay (docs/rules.md § 37). A dry run is deleted. Throws `INTROUVABLE`, also
 * for an import older than thirty days.
 */
export function annulerImportation(
  records: Records<Transaction>,
  id: number,
  utilisateur: string | null,
): Outcome<UndoCounts> {
  const { database } = records;
  const { etat, date } = requireRecord(database, id, utilisateur);
  if (etat === 'essai') database.run('DELETE FROM Importation WHERE id = ?', id);
  if (etat !== 'faite') return { answer: NOTHING };
  if (date < Date.now() - UNDO_MS) throw new Refusal('INTROUVABLE');
  updateImportation(database, id, { etat: 'annulee' });
  const [first, ...others] = importationModifications(database, id);
  if (first === undefined) return { answer: NOTHING };
  const { id: annuleId, proprietaire } = first;
  const avec = others.map((saved) => saved.id);
  const open = tracedByLength(records, id)(
    records,
    (newId) => undoRecords(records, [annuleId, ...avec], proprietaire, newId),
    true,
  );
  const { undone, kept } = open.result;
  const [retires, gardes] = [countLivres(undone), countLivres(kept)];
  const saved = saveModification(records, open, {
    operation: 'annulerImportation',
    importationId: id,
    annuleId,
    avec,
    utilisateur,
    proprietaire,
    message: { fait: 'importationAnnulee', retires, gardes },
  });
  return { answer: { retires, gardes }, saved };
}

const NOTHING: UndoCounts = { retires: 0, gardes: 0 };

const countLivres = (made: readonly Change[]): number =>
  made.filter(({ table }) => table === 'Livre').length;
