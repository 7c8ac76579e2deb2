import type { Decision, OrdreNoms } from '#shared/importations';
import { Refusal } from '#shared/refusals';
import { souhaitKeys } from '#shared/souhaits';
import type { Transaction } from '#server/plumbing/database/transaction';
import { affectedAuteurs } from '#server/subjects/auteurs/domain/auteurs';
import type { AuteurRecord } from '#server/subjects/auteurs/store/auteurs';
import { livreExists } from '#server/subjects/livres/domain/presence';
import { addLivreEntry } from '#server/subjects/livres/domain/livres';
import { preter } from '#server/subjects/prets';
import { readPret } from '#server/subjects/prets';
import type { Records } from '#server/plumbing/records/records';
import { list as souhaitList } from '#server/subjects/souhaits/souhaits';
import { writeStatut } from '#server/subjects/statuts/store';
import type { Counts, ImportationRecord, Made } from '../store/importations.ts';
import { updateOutcome, type LigneRecord } from '../store/lignes.ts';
import { readReste } from '../store/reste.ts';
import { auteursOf, readContent, readLignes, type KeptLigne } from './content.ts';
import { HouseholdRest } from './household.ts';
import { giveCover } from './pictures.ts';
import { Planner, souhaitOf, type PlannedRow } from './plan.ts';
import { settledNoms, turnerOf } from './inverted-names.ts';
import type { ReadRow, Row } from './row.ts';
import { renamedSince } from './renamed-authors.ts';
import { makeSeries } from './series-execution.ts';
import type { PlaceTarget } from './series-plan.ts';
import { digestOf } from './undo-rest.ts';

type MadeOfRows = Pick<Made, 'livres' | 'statuts' | 'souhaits' | 'prets'>;

/** What a person decides about a dry run. */
export interface Choices {
  readonly decisions?: readonly Decision[];
  /** Titles of proposed series that are not to be made or extended. */
  readonly seriesIgnorees?: readonly string[];
  /** Names of authors that stand family name first. */
  readonly nomsInverses?: readonly string[];
  /** In which order the file has the names of its authors, where its program leaves that open. */
  readonly ordreNoms?: OrdreNoms | undefined;
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
        else if (sort === 'nouveau' && !livreExists(database, livreId ?? 0))
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
  readonly #decided: Pick<
    Counts,
    'seriesIgnorees' | 'nomsInverses' | 'nomsDesCatalogues' | 'ordreNoms'
  >;
  readonly #inverted: ReadonlySet<string>;
  readonly #turn: (nom: string) => string;
  readonly #livreIds = new Map<number, number>();
  readonly #made: { -readonly [K in keyof MadeOfRows]: MadeOfRows[K][number][] } = {
    livres: [],
    statuts: [],
    souhaits: [],
    prets: [],
  };
  readonly #returned: number[] = [];
  /** Whether books keep who added them, and when: that is a restoration (docs/rules.md § 41). */
  readonly #isRestored: boolean;
  /** The authors whom the rows may rename, as they were. */
  readonly #former = new Map<number, AuteurRecord>();

  constructor(
    records: Records<Transaction>,
    importation: ImportationRecord,
    {
      seriesIgnorees = [],
      nomsInverses = [],
      ordreNoms,
      isAgain = false,
    }: Omit<Choices, 'decisions'> = {},
  ) {
    this.#database = records.database;
    this.#importation = importation;
    this.#utilisateur = importation.utilisateur || null;
    const { notes = 0, datesDeLecture = 0, isRestored = false } = importation.counts;
    this.#isRestored = isAgain ? isRestored : records.database.isEmpty();
    this.#lectures = { notes, datesDeLecture };
    const { nomsDesCatalogues } = importation.counts;
    this.#decided = {
      seriesIgnorees,
      nomsInverses,
      ordreNoms,
      ...(nomsDesCatalogues && { nomsDesCatalogues }),
    };
    this.#inverted = new Set([...nomsInverses, ...settledNoms(importation).keys()]);
    this.#turn = this.#inverted.size === 0 ? (nom) => nom : turnerOf(records.database, importation);
    this.#planner = new Planner(records.database, this.#utilisateur, seriesIgnorees);
    this.#rest = new HouseholdRest(records, importation.id, this.#utilisateur);
  }

  /** To be called before rows are planned: the authors of a household's export come first. */
  begin(): void {
    if (this.#importation.format !== 'rayonnage') return;
    this.#noteFormer(this.#rest.noms);
    this.#rest.begin();
    for (const lignes of readLignes(this.#database, this.#importation.id))
      this.#planner.noteOrigins(lignes.map(({ read }) => read.row));
  }

  plan(lignes: readonly KeptLigne[], decisions: ReadonlyMap<number, Decision['sort']>) {
    const planned = this.#planner.planAll(
      lignes.map((ligne) => {
        const decision = decisions.get(ligne.ligne);
        const turned = this.#turned(ligne.read);
        const read = decision === 'ignorer' ? { ...turned, ...LEFT_OUT } : turned;
        return { ...ligne, read, wantsTwin: decision === 'creer' };
      }),
    );
    this.#noteFormer(planned.flatMap(({ read }) => read.row.auteurs));
    return planned;
  }

  /** Notes the authors to whom some names may give others, as they were before the first of them. */
  #noteFormer(noms: readonly string[]): void {
    for (const auteur of affectedAuteurs(this.#database, [...new Set(noms)]))
      if (!this.#former.has(auteur.id)) this.#former.set(auteur.id, auteur);
  }

  /** A row with its names in reading order, as its person has said. */
  #turned(read: ReadRow): ReadRow {
    const auteurs = auteursOf(read, this.#decided.ordreNoms);
    if (this.#decided.ordreNoms === 'prenomNom') return { ...read, row: { ...read.row, auteurs } };
    if (!auteurs.some((nom) => this.#inverted.has(nom))) return read;
    const turned = auteurs.map((nom) => (this.#inverted.has(nom) ? this.#turn(nom) : nom));
    return { ...read, row: { ...read.row, auteurs: turned } };
  }

  /** To be called for every row in the order of the file. */
  apply(record: KeptLigne, planned: PlannedRow): void {
    const { ligne } = record;
    const { row } = this.#turned(record.read);
    const { sort, raison } = planned;
    if (sort === 'nouveau') this.#livreIds.set(ligne, this.#addLivre(row));
    if (sort === 'souhait') this.#addSouhait(row);
    const livreId = this.#livreIdOf({ ligne: planned.twin ?? ligne, livreId: planned.livreId });
    if (livreId !== null) this.#addRest(livreId, planned, row);
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
    const series = makeSeries(this.#database, plan, (target) => this.#livreIdOf(target));
    if (isHousehold) this.#rest.finish(plan.placeIds);
    const ranges = this.#rest.finishStanding();
    const noms = renamedSince(this.#database, [...this.#former.values()], this.#made.livres);
    const { records, given } = this.#rest.made;
    const hasRest = isHousehold || records.length + given.length > 0;
    const made = {
      ...this.#made,
      ...series,
      ...(hasRest && { rest: this.#rest.made }),
      ...(ranges.length > 0 && { ranges }),
      ...(noms.length > 0 && { noms }),
      pretDigests: [...this.#made.prets, ...this.#returned].map(
        (id) => [id, digestOf(readPret(this.#database, id) ?? {})] as const,
      ),
    };
    return {
      made,
      counts: {
        statuts: made.statuts.length,
        prets: made.prets.length,
        series: plan.all.length,
        ...this.#lectures,
        ...this.#decided,
        ...(isHousehold && { isRestored: this.#isRestored }),
        exemples: this.#importation.counts.exemples ?? [],
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
    const saisie = { ...kept, ...row, auteurs: [...row.auteurs] };
    const id = addLivreEntry(this.#database, saisie, ajoutePar, added?.dateAjout);
    if (kept !== undefined) giveCover(this.#database, 'Livre', id, kept.couverture);
    this.#made.livres.push(id);
    const where = kept === undefined ? row.emplacement : kept.emplacementId;
    if (where !== undefined && where !== null) this.#rest.addStanding(id, where);
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
      const { emprunteur, datePret } = pret;
      const { id } = preter(this.#database, livreId, emprunteur, datePret ?? undefined);
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
