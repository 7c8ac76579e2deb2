import {
  exportKindNames,
  type ExportKind,
  type ExportLivre,
  type ExportRecord,
} from '#shared/export';
import type { Decision, OrdreNoms } from '#shared/importations';
import { Refusal } from '#shared/refusals';
import { souhaitKeys } from '#shared/souhaits';
import { cleRegroupement, textKey } from '#shared/text';
import type { Transaction } from '#server/plumbing/database/connection';
import type { RestoredRecord } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import {
  auteurRecordByKey,
  deleteUnused,
  insertAuteur,
  insertRefus,
  listRefus,
  updateNoms,
  wakeAuteur,
} from '#server/subjects/auteurs/auteurs';
import { idPair } from '#server/subjects/auteurs/merging';
import { LocationFinder } from '#server/subjects/emplacements';
import { KnownLectures, oeuvreOf, writeStatut } from '#server/subjects/lectures';
import {
  addLivreEntry,
  completer,
  restaurerOrdre,
  updateLivre,
} from '#server/subjects/livres/livres';
import { giveCover } from '#server/subjects/couvertures/library';
import { readFormat } from '#server/subjects/livres/source';
import { insertPret, preter, pretsOfLivre } from '#server/subjects/prets';
import { placerVolumes } from '#server/subjects/series/placement';
import {
  insertPlaceAt,
  insertSerie,
  insertSerieAt,
  isWithin,
  nestSerieAt,
} from '#server/subjects/series/series';
import { list as souhaitList, writePlaceOfSouhait } from '#server/subjects/souhaits/souhaits';
import {
  Planner,
  souhaitOf,
  type PlannedPlace,
  type PlannedRow,
  type PlannedSerie,
  type PlaceTarget,
  type SeriePlan,
} from './plan.ts';
import { inSaidOrder } from './programs.ts';
import type { ReadRow, Row } from './rows.ts';
import {
  readContent,
  readLignes,
  readReste,
  updateOutcome,
  type Counts,
  type ImportationRecord,
  type KeptLigne,
  type LigneRecord,
  type Made,
  type MadeRest,
} from './store.ts';
import { chooseThemes, TakenThemes } from './themes.ts';

type MadeOfRows = Pick<Made, 'livres' | 'statuts' | 'souhaits' | 'prets'>;

/** What a person decides about a dry run. */
export interface Choices {
  readonly decisions?: readonly Decision[];
  /** Titles of proposed series that are not to be made or extended. */
  readonly seriesIgnorees?: readonly string[];
  /** In which order the file has the names of its authors, where its program leaves that open. */
  readonly ordreNoms?: OrdreNoms | undefined;
  /** Which of the file’s words become themes; unless said, those of the dry run. */
  readonly themes?: readonly string[] | null | undefined;
  /** True for an import that is made again: its rows say what was decided about them. */
  readonly isAgain?: boolean;
}

/** The ids of what an import has made, and the counts that its screen shows. */
interface Executed {
  readonly made: Made;
  readonly counts: Counts;
}

/**
 * Makes a dry run real; called in the one transaction that writes it. What becomes of each row is
 * decided anew: the household may have changed since (docs/rules.md § 36).
 */
export function execute(
  records: Records<Transaction>,
  importation: ImportationRecord,
  { decisions = [], isAgain = false, ...choices }: Choices,
): Executed {
  const { database } = records;
  const execution = new Execution(records, importation, { ...choices, isAgain });
  execution.begin();
  const bySort = new Map(decisions.map(({ ligne, sort }) => [ligne, sort]));
  if (isAgain)
    for (const lignes of readLignes(database, importation.id))
      for (const { ligne, sort, raison, livreId } of lignes)
        if (raison === LEFT_OUT.refus) bySort.set(ligne, 'ignorer');
        // A book that stayed when the import was taken back is there already.
        else if (sort === 'nouveau' && readFormat(database, livreId ?? 0) === undefined)
          bySort.set(ligne, 'creer');
  const { id } = importation;
  // All rows of a large file would take more memory than the file: only what is planned is kept.
  const plans = new Map<number, PlannedRow>();
  for (const lignes of readLignes(database, id))
    for (const { ligne, planned } of execution.plan(lignes, bySort)) plans.set(ligne, planned);
  for (const lignes of readLignes(database, id))
    for (const ligne of lignes) {
      const planned = plans.get(ligne.ligne);
      if (planned !== undefined) execution.apply(ligne, planned);
    }
  return execution.finish();
}

/** Makes one row real, of an import that is. */
export function executeLigne(
  records: Records<Transaction>,
  importation: ImportationRecord,
  ligne: LigneRecord,
): Executed {
  const execution = new Execution(records, importation);
  const kept = { ...ligne, read: readContent(ligne.content) };
  for (const { planned } of execution.plan([kept], new Map())) execution.apply(kept, planned);
  return execution.finish();
}

const LEFT_OUT = { refus: 'laissé de côté, comme demandé', isPending: false };

class Execution {
  readonly #database: Transaction;
  readonly #importation: ImportationRecord;
  readonly #lectures: Pick<Counts, 'notes' | 'datesDeLecture'>;
  readonly #utilisateur: string | null;
  readonly #planner: Planner;
  readonly #rest: HouseholdRest;
  readonly #decided: Pick<Counts, 'seriesIgnorees' | 'ordreNoms' | 'themesProposes'>;
  readonly #themes: TakenThemes;
  readonly #livreIds = new Map<number, number>();
  readonly #made: { -readonly [K in keyof MadeOfRows]: MadeOfRows[K][number][] } = {
    livres: [],
    statuts: [],
    souhaits: [],
    prets: [],
  };
  readonly #returned: number[] = [];
  #completes = 0;
  /** Whether books keep who added them, and when: that is a restoration (docs/rules.md § 41). */
  readonly #isRestored: boolean;

  constructor(
    records: Records<Transaction>,
    importation: ImportationRecord,
    { seriesIgnorees = [], ordreNoms, themes, isAgain = false }: Omit<Choices, 'decisions'> = {},
  ) {
    this.#database = records.database;
    this.#importation = importation;
    this.#utilisateur = importation.utilisateur || null;
    const { notes = 0, datesDeLecture = 0, isRestored = false } = importation.counts;
    const themesProposes = chooseThemes(importation.counts.themesProposes ?? [], themes);
    this.#themes = new TakenThemes(themesProposes);
    this.#isRestored = isAgain ? isRestored : records.isEmpty();
    this.#lectures = { notes, datesDeLecture };
    this.#decided = { seriesIgnorees, ordreNoms, themesProposes };
    this.#planner = new Planner(records.database, this.#utilisateur, seriesIgnorees);
    this.#rest = new HouseholdRest(records, importation.id, this.#utilisateur);
  }

  /** To be called before rows are planned: the authors of a household's export come first. */
  begin(): void {
    if (this.#importation.format !== 'rayonnage') return;
    this.#rest.begin();
    for (const lignes of readLignes(this.#database, this.#importation.id))
      this.#planner.noteOrigins(lignes.map(({ read }) => read.row));
  }

  plan(lignes: readonly KeptLigne[], decisions: ReadonlyMap<number, Decision['sort']>) {
    return this.#planner.planAll(
      lignes.map((ligne) => {
        const decision = decisions.get(ligne.ligne);
        this.#themes.count(ligne.read);
        const said = this.#asSaid(ligne.read);
        const read = decision === 'ignorer' ? { ...said, ...LEFT_OUT } : said;
        return { ...ligne, read, wantsTwin: decision === 'creer' };
      }),
    );
  }

  /** A row with its themes and the order of its names, as its person has said. */
  #asSaid(undecided: ReadRow): ReadRow {
    const read = this.#themes.decide(undecided);
    const { format } = this.#importation;
    const auteurs = inSaidOrder(read.row.auteurs, format, this.#decided.ordreNoms);
    return auteurs === read.row.auteurs ? read : { ...read, row: { ...read.row, auteurs } };
  }

  /** To be called for every row in the order of the file. */
  apply(record: KeptLigne, planned: PlannedRow): void {
    const { ligne } = record;
    const { row } = this.#asSaid(record.read);
    const { sort, raison } = planned;
    if (sort === 'nouveau') this.#livreIds.set(ligne, this.#addLivre(row));
    if (sort === 'souhait') this.#addSouhait(row);
    const livreId = this.#livreIdOf({ ligne: planned.twin ?? ligne, livreId: planned.livreId });
    if (livreId !== null) this.#addRest(livreId, planned, row);
    if (livreId !== null && Object.keys(planned.fills).length > 0) {
      this.#completes++;
      this.#rest.fill(livreId, planned.fills);
    }
    // Who wishes for a book may have read it elsewhere.
    if (livreId !== null || (row.isSouhait && sort !== 'refuse'))
      this.#rest.addLectures(livreId, row);
    if (sort !== record.sort || livreId !== record.livreId || raison !== record.raison)
      updateOutcome(this.#database, this.#importation.id, { ligne, sort, livreId, raison });
  }

  finish(): Executed {
    const isHousehold = this.#importation.format === 'rayonnage';
    const plan = this.#planner.series;
    if (isHousehold)
      this.#planner.planExported(readReste(this.#database, this.#importation.id, 'series'));
    makeSeries(this.#database, plan, (target) => this.#livreIdOf(target));
    if (isHousehold) this.#rest.finish(plan.placeIds);
    this.#rest.finishStanding();
    const { records, given } = this.#rest.made;
    const hasRest = isHousehold || records.length + given.length > 0;
    const made = {
      ...this.#made,
      ...(hasRest && { rest: this.#rest.made }),
      returned: this.#returned,
    };
    return {
      made,
      counts: {
        statuts: made.statuts.length,
        prets: made.prets.length,
        series: plan.all.length,
        completes: this.#completes,
        ...this.#lectures,
        ...this.#decided,
        ...(isHousehold && { isRestored: this.#isRestored }),
        exemples: this.#importation.counts.exemples ?? [],
        perdus: this.#importation.counts.perdus ?? [],
        perdusThemes: this.#themes.perdus,
        avertissements: [
          // Warnings about the file as a whole, which stand at its first line.
          ...this.#importation.counts.avertissements.filter(({ ligne }) => ligne <= 1),
          ...this.#planner.avertissements,
        ],
      },
    };
  }

  #addLivre(row: Row): number {
    const kept = row.kept?.livre;
    const added = this.#isRestored ? kept : undefined;
    const ajoutePar = added === undefined ? this.#utilisateur : added.ajoutePar;
    // Only the fields of an entry are read of both, so that an export loses none.
    const themes = [...(row.themes ?? kept?.themes ?? [])];
    const saisie = { ...kept, ...row, auteurs: [...row.auteurs], themes };
    const id = addLivreEntry(this.#database, saisie, ajoutePar, added?.dateAjout);
    if (kept !== undefined) giveCover(this.#database, 'Livre', id, kept.couverture);
    this.#made.livres.push(id);
    const where = kept === undefined ? row.emplacement : kept.emplacementId;
    if (where !== undefined && where !== null) this.#rest.addStanding(id, where, kept?.rang);
    return id;
  }

  #addSouhait(row: Row): void {
    if (this.#utilisateur === null) throw new Refusal('IDENTITE_INCONNUE');
    const { titre, auteur, isbn } = row.kept?.souhait ?? souhaitOf(row);
    const souhait = { titre, auteur, isbn };
    const kept = row.kept?.souhait;
    if (kept === undefined) {
      this.#made.souhaits.push(souhaitList.add(this.#database, this.#utilisateur, souhait).id);
      return;
    }
    const { coverUrl, dateAjout, rang, placeId } = kept;
    const id = souhaitList.insert(this.#database, this.#utilisateur, {
      ...souhait,
      ...souhaitKeys(souhait),
      coverUrl,
      dateAjout,
    });
    giveCover(this.#database, 'Souhait', id, kept.couverture);
    this.#rest.addSouhait({ id, rang, placeId });
    this.#made.souhaits.push(id);
  }

  #addRest(livreId: number, planned: PlannedRow, { statut, pret, kept }: Row): void {
    if (planned.setsStatut && statut !== null && this.#utilisateur !== null) {
      writeStatut(this.#database, this.#utilisateur, livreId, statut);
      this.#made.statuts.push([livreId, statut]);
    }
    if (planned.opensPret && pret !== null) {
      const { emprunteur, datePret, dateRetourPrevue = null } = pret;
      const { id } = preter(this.#database, livreId, {
        emprunteur,
        datePret: datePret ?? new Date().toISOString(),
        dateRetourPrevue,
      });
      this.#made.prets.push(id);
    }
    if (kept?.livre) {
      this.#rest.noteLivre(kept.livre.id, livreId);
      this.#returned.push(...this.#rest.addPrets(kept.livre, livreId));
    }
  }

  #livreIdOf({ ligne, livreId }: PlaceTarget): number | null {
    return livreId ?? this.#livreIds.get(ligne) ?? null;
  }
}

/** A wish that was made, with its rank and place in the export. */
interface MadeSouhait {
  readonly id: number;
  readonly rang: number;
  readonly placeId: number | null;
}

/**
 * Makes real what an export of a household holds besides its rows: authors and refused merges before
 * the books, the rest after them. Records that the household has already stay (docs/rules.md § 41).
 */
export class HouseholdRest {
  readonly #records: Records<Transaction>;
  readonly #database: Transaction;
  readonly #importationId: number;
  readonly #utilisateur: string | null;
  /** Ids of the file → ids of this household. */
  readonly #auteurs = new Map<number, number>();
  readonly #ids = new Map<ExportKind, Map<number, number>>();
  readonly #souhaits: MadeSouhait[] = [];
  #lectures: KnownLectures | null = null;
  /** Where new books stand in the file, by its id or by names. */
  readonly #standing: {
    readonly livreId: number;
    readonly where: number | readonly string[];
    readonly rang: number | null;
  }[] = [];
  readonly made: { -readonly [K in keyof MadeRest]: MadeRest[K][number][] } = {
    refus: [],
    records: [],
    given: [],
  };

  constructor(records: Records<Transaction>, importationId: number, utilisateur: string | null) {
    this.#records = records;
    this.#database = records.database;
    this.#importationId = importationId;
    this.#utilisateur = utilisateur;
  }

  /** Authors under their exact names: what the file kept apart stays apart. */
  begin(): void {
    for (const { id, nom, formePleine, nomChoisi } of this.#read('auteurs')) {
      const key = cleRegroupement(nom);
      let known = auteurRecordByKey(this.#database, key)?.id;
      if (known === undefined) {
        known = wakeAuteur(this.#database, nom) ?? insertAuteur(this.#database, nom);
        updateNoms(this.#database, {
          id: known,
          nom,
          fullForm: formePleine,
          nomChoisi: nomChoisi === true ? 1 : 0,
        });
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
      this.made.refus.push(pair);
    }
  }

  /** Notes which book of this household one of the file is. */
  noteLivre(exported: number, livreId: number): void {
    this.#idsOf('livres').set(exported, livreId);
  }

  /**
   * Notes the readings of a book, of the house or of none (`null`), that its reader has not, or what a reading lacks
   * (docs/rules.md § 55).
   */
  addLectures(livreId: number | null, { titre, auteurs, isbn, lectures = [] }: Row): void {
    if (this.#utilisateur === null || lectures.length === 0) return;
    this.#lectures ??= new KnownLectures(this.#database, this.#utilisateur);
    const oeuvre =
      livreId === null ? { livreId, titre, auteurs, isbn } : oeuvreOf(this.#database, livreId);
    const read = lectures.map((lecture) => ({ ...oeuvre, ...lecture }));
    for (const restored of this.#lectures.addAll(read)) this.#noteRestored('lectures', restored);
  }

  /** Adds the returned loans that a book lacks, and returns their ids. */
  addPrets({ prets }: ExportLivre, livreId: number): number[] {
    const known = new Set(pretsOfLivre(this.#database, livreId).map(pretKey));
    return prets
      .filter((pret) => pret.dateRetour !== null && !known.has(pretKey(pret)))
      .map(({ id: _, ...pret }) => insertPret(this.#database, { ...pret, livreId }));
  }

  /** Notes where a new book stands. */
  addStanding(
    livreId: number,
    where: number | readonly string[],
    rang: number | null = null,
  ): void {
    this.#standing.push({ livreId, where, rang });
  }

  /** Gives a book of the household what it lacks. */
  fill(livreId: number, { emplacement, ...fields }: PlannedRow['fills']): void {
    completer(this.#database, livreId, fields);
    if (emplacement !== undefined) this.addStanding(livreId, emplacement);
    this.made.given.push(['livres', livreId]);
  }

  /** Puts the new books where they stand, in locations made where they are unknown. */
  finishStanding(): void {
    if (this.#standing.length === 0) return;
    const finder = new LocationFinder(this.#database);
    const ordered: { readonly id: number; readonly rang: number }[] = [];
    for (const { livreId, where, rang } of this.#standing) {
      const emplacementId =
        typeof where === 'number'
          ? (this.#idsOf('emplacements').get(where) ?? null)
          : this.#pathId(finder, where);
      if (emplacementId === null) continue;
      updateLivre(this.#database, livreId, { emplacementId });
      if (rang !== null) ordered.push({ id: livreId, rang });
    }
    restaurerOrdre(this.#database, ordered);
  }

  #pathId(finder: LocationFinder, noms: readonly string[]): number | null {
    const { id, made } = finder.findOrCreatePath(noms);
    for (const each of made) this.#noteMade('emplacements', each);
    return id;
  }

  addSouhait(souhait: MadeSouhait): void {
    this.#souhaits.push(souhait);
  }

  /** @param placeIds ids of places of series: in the export → in this household */
  finish(placeIds: ReadonlyMap<number, number>): void {
    deleteUnused(this.#database, [...this.#auteurs.values()]);
    this.#finishSouhaits(placeIds);
    for (const kind of exportKindNames) this.#restore(kind);
  }

  #restore(kind: ExportKind): void {
    const { collection, restoring } = this.#records.restoringOf(kind) ?? {};
    if (collection === undefined || restoring === undefined) return;
    const into = { utilisateur: this.#utilisateur, idsOf: (of: ExportKind) => this.#idsOf(of) };
    const { table } = this.#records.kind(collection).source;
    for (const restored of restoring.add(this.#database, this.#read(kind), into)) {
      if (!('given' in restored))
        giveCover(this.#database, table, restored.id, restored.couverture);
      this.#noteRestored(kind, restored);
    }
  }

  #noteRestored(kind: ExportKind, restored: RestoredRecord): void {
    if (!('given' in restored)) this.#noteMade(kind, restored.id);
    else if (restored.given.length > 0) this.made.given.push([kind, restored.id]);
  }

  #noteMade(kind: ExportKind, id: number): void {
    if (this.#records.restoringOf(kind) !== undefined) this.made.records.push([kind, id]);
  }

  #idsOf(kind: ExportKind): Map<number, number> {
    const ids = this.#ids.get(kind) ?? new Map<number, number>();
    this.#ids.set(kind, ids);
    return ids;
  }

  /** Ranks the wishes in their former order, behind those of the list, and ties them to their places. */
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
    return readReste(this.#database, this.#importationId, kind);
  }
}

const pretKey = ({ emprunteur, datePret }: { emprunteur: string; datePret: string }): string =>
  `${textKey(emprunteur)}\n${datePret}`;

interface Making {
  readonly plan: SeriePlan;
  /** The book of a planned place; `null` for a volume that is missing. */
  readonly livreIdOf: (place: PlannedPlace) => number | null;
}

/**
 * Makes and extends the planned series, and notes the ids of their places in the plan.
 *
 * @param livreIdOf the book that has been made of a row
 */
export function makeSeries(
  database: Transaction,
  plan: SeriePlan,
  livreIdOf: (target: PlaceTarget) => number | null,
): void {
  const making: Making = { plan, livreIdOf: ({ target }) => target && livreIdOf(target) };
  for (const planned of plan.all)
    if (planned.exported === undefined) extendSerie(database, planned, making);
  restoreSeries(database, making);
}

/** Puts new volumes into a series, or into a new one. */
function extendSerie(
  database: Transaction,
  { id, titre, places }: PlannedSerie,
  { plan, livreIdOf }: Making,
): void {
  const serieId = id ?? insertSerie(database, { titre, parentId: null, nombreTomes: null });
  const volumes = places.map((place) => ({ ...place, livreId: livreIdOf(place) }));
  for (const [index, { placeId }] of placerVolumes(database, serieId, volumes).entries()) {
    const exported = places[index]?.exported;
    if (exported) plan.placeIds.set(exported.id, placeId);
  }
}

/** Makes the new series of a household's export as they were. */
function restoreSeries(database: Transaction, { plan, livreIdOf }: Making): void {
  const exported = plan.all.flatMap((planned) =>
    planned.exported === undefined ? [] : { ...planned.exported, planned: planned.places },
  );
  const ids = new Map<number, number>();
  for (const { id, titre, nombreTomes, position, planned } of exported) {
    const serieId = insertSerieAt(database, { titre, nombreTomes, position });
    ids.set(id, serieId);
    for (const place of planned) {
      if (place.exported === undefined) continue;
      const { titre: volume, numero, isbn, exported } = place;
      const { auteur, position: at } = exported;
      const livreId = livreIdOf(place);
      const fields = { titre: volume, numero, isbn, auteur, livreId, position: at };
      const placeId = insertPlaceAt(database, serieId, fields);
      plan.placeIds.set(exported.id, placeId);
    }
  }
  for (const { id, parentId, position } of exported) {
    const [serieId, into] = [ids.get(id), ids.get(parentId ?? 0)];
    if (serieId === undefined || into === undefined || isWithin(database, into, serieId)) continue;
    nestSerieAt(database, serieId, { parentId: into, position });
  }
}
