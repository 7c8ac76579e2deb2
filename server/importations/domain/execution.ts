import type { Decision } from '#shared/importations';
import { Refusal } from '#shared/refusals';
import type { Database } from '#server/database/database';
import { addLivreEntry } from '#server/livres/domain/livres';
import { preter } from '#server/prets/domain';
import { ajouterSerie, lireSerie, modifierSerie } from '#server/series/domain/series';
import { insertSouhait } from '#server/souhaits/store/ranked-table';
import { souhaitTable } from '#server/souhaits/store/tables';
import { souhaitKeys } from '#shared/souhaits';
import { souhaitList } from '#server/souhaits/domain/souhaits';
import { writeStatut } from '#server/statuts/store';
import type { Counts, ImportationRecord, Made, MadeRest } from '../store/importations.ts';
import { lignesInBatches, updateFate, type LigneRecord } from '../store/lignes.ts';
import { Planner, souhaitOf, type Fate } from './plan.ts';
import { HouseholdRest } from './household.ts';
import { readContent } from './content.ts';
import { giveCover } from './pictures.ts';
import { mergePlaces } from './places.ts';
import type { ReadRow, Row } from './row.ts';
import type { PlannedPlace, PlannedSerie } from './series-plan.ts';

/** The most rows that stay in memory between planning and making them. */
const MAX_HELD_ROWS = 20_000;

type Making = { -readonly [K in keyof Omit<Made, 'rest'>]: Made[K][number][] } & {
  rest?: MadeRest;
};

/** What a person decides about a dry run. */
export interface Choices {
  readonly decisions?: readonly Decision[];
  /** Titles of proposed series that are not to be made or extended. */
  readonly seriesIgnorees?: readonly string[];
}

/** What an import has made, and how it is told. */
interface Executed {
  readonly made: Made;
  readonly counts: Counts;
}

/**
 * Makes a dry run real; called in the one transaction that writes it. What becomes of each row is
 * decided anew: the household may have changed since (docs/rules.md § 36).
 */
export function execute(
  database: Database,
  importation: ImportationRecord,
  { decisions = [], seriesIgnorees }: Choices,
): Executed {
  const execution = new Execution(database, importation, seriesIgnorees);
  execution.begin();
  const bySort = new Map(decisions.map(({ ligne, sort }) => [ligne, sort]));
  const { id } = importation;
  // All rows of a large file would take more memory than the file: of those after the first ones only
  // the fates are kept, and the rows are read again.
  const fates = new Map<number, Fate>();
  const held = new Map<number, Row>();
  for (const lignes of lignesInBatches(database, id))
    for (const { ligne, fate, row } of execution.plan(lignes, bySort)) {
      fates.set(ligne.ligne, fate);
      if (held.size < MAX_HELD_ROWS) held.set(ligne.ligne, row);
    }
  for (const lignes of lignesInBatches(database, id))
    for (const ligne of lignes) {
      const fate = fates.get(ligne.ligne);
      const row = held.get(ligne.ligne) ?? readContent(ligne.content).row;
      if (fate !== undefined) execution.apply(ligne, fate, row);
    }
  return execution.finish();
}

/** Makes one row real, of an import that is; called in a transaction. */
export function executeLigne(
  database: Database,
  importation: ImportationRecord,
  ligne: LigneRecord,
): Executed {
  const execution = new Execution(database, importation);
  for (const planned of execution.plan([ligne], new Map()))
    execution.apply(planned.ligne, planned.fate, planned.row);
  return execution.finish();
}

class Execution {
  readonly #database: Database;
  readonly #importation: ImportationRecord;
  readonly #utilisateur: string | null;
  readonly #planner: Planner;
  readonly #rest: HouseholdRest;
  readonly #livreIds = new Map<number, number>();
  readonly #avertissements: { ligne: number; raison: string }[] = [];
  readonly #made: Making = {
    livres: [],
    statuts: [],
    souhaits: [],
    prets: [],
    series: [],
    places: [],
    filled: [],
  };

  constructor(
    database: Database,
    importation: ImportationRecord,
    seriesIgnorees: readonly string[] = [],
  ) {
    this.#database = database;
    this.#importation = importation;
    this.#utilisateur = importation.utilisateur || null;
    this.#planner = new Planner(database, this.#utilisateur, seriesIgnorees);
    this.#rest = new HouseholdRest(database, importation.id, this.#utilisateur);
  }

  /** To be called before rows are planned: the authors of a household's export come first. */
  begin(): void {
    if (this.#importation.format !== 'rayonnage') return;
    this.#rest.begin();
    for (const lignes of lignesInBatches(this.#database, this.#importation.id))
      this.#planner.noteOrigins(lignes.map(({ content }) => readContent(content).row));
  }

  plan(lignes: readonly LigneRecord[], decisions: ReadonlyMap<number, Decision['sort']>) {
    const contents = lignes.map((ligne) => ({ ligne, read: readContent(ligne.content) }));
    this.#planner.lookAhead(contents.map(({ read }) => read.row));
    return contents.map(({ ligne, read }) => this.#plan(ligne, read, decisions.get(ligne.ligne)));
  }

  #plan(ligne: LigneRecord, read: ReadRow, decision?: Decision['sort']) {
    const refus = decision === 'ignorer' ? 'laissé de côté, comme demandé' : read.refus;
    const isPending = read.isPending && decision !== 'ignorer';
    const fate = this.#planner.plan(
      ligne.ligne,
      { ...read, refus, isPending },
      decision === 'creer',
    );
    for (const raison of [...read.avertissements, ...fate.avertissements])
      this.#avertissements.push({ ligne: ligne.ligne, raison });
    return { ligne, fate, row: read.row };
  }

  apply(record: LigneRecord, fate: Fate, row: Row): void {
    const { ligne } = record;
    if (fate.sort === 'nouveau') this.#livreIds.set(ligne, this.#addLivre(row));
    if (fate.sort === 'souhait') this.#addSouhait(row);
    const livreId = fate.livreId ?? this.#livreIds.get(fate.twin ?? ligne) ?? null;
    if (livreId !== null) {
      this.#addRest(livreId, fate, row);
      if (row.kept?.livre) this.#rest.addLivre(row.kept.livre, livreId);
    }
    const { sort, raison } = fate;
    if (sort !== record.sort || livreId !== record.livreId || raison !== record.raison)
      updateFate(this.#database, this.#importation.id, { ligne, sort, livreId, raison });
  }

  finish(): Executed {
    for (const serie of this.#planner.series.all) this.#writeSerie(serie);
    const made = this.#made;
    if (this.#importation.format === 'rayonnage') this.#finishRest();
    return {
      made,
      counts: {
        statuts: made.statuts.length,
        prets: made.prets.length,
        series: this.#planner.series.all.length + this.#rest.series.made.length,
        avertissements: [
          // Warnings about the file as a whole, which stand at its first line.
          ...this.#importation.counts.avertissements.filter(({ ligne }) => ligne <= 1),
          ...this.#avertissements,
        ],
      },
    };
  }

  #finishRest(): void {
    this.#rest.finish();
    this.#made.rest = this.#rest.made;
    this.#made.series.push(...this.#rest.series.made);
    this.#made.places.push(...this.#rest.series.placesMade);
    this.#made.filled.push(...this.#rest.series.placesFilled);
  }

  #addLivre(row: Row): number {
    const kept = row.kept?.livre;
    const ajoutePar = kept === undefined ? this.#utilisateur : kept.ajoutePar;
    // Only the fields of an entry are read of both, so that an export loses none.
    const saisie = { ...kept, ...row, auteurs: [...row.auteurs] };
    const id = addLivreEntry(this.#database, saisie, ajoutePar, kept?.dateAjout);
    if (kept !== undefined) giveCover(this.#database, 'Livre', id, kept);
    this.#made.livres.push(id);
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
    const id = insertSouhait(this.#database, souhaitTable, this.#utilisateur, {
      ...souhait,
      ...souhaitKeys(souhait),
      coverUrl,
      dateAjout,
    });
    giveCover(this.#database, 'Souhait', id, kept);
    this.#rest.addSouhait({ id, rang, placeId });
    this.#made.souhaits.push(id);
  }

  #addRest(livreId: number, fate: Fate, { statut, pret }: Row): void {
    if (fate.setsStatut && statut !== null && this.#utilisateur !== null) {
      writeStatut(this.#database, this.#utilisateur, livreId, statut);
      this.#made.statuts.push([livreId, statut]);
    }
    if (fate.opensPret && pret !== null) {
      const { emprunteur, datePret } = pret;
      const { id } = preter(this.#database, livreId, emprunteur, datePret ?? undefined);
      this.#made.prets.push(id);
    }
  }

  #writeSerie({ id, titre, places }: PlannedSerie): void {
    const before = id === null ? null : lireSerie(this.#database, id);
    const saisies = mergePlaces(before, places, (place) => this.#livreIdOf(place));
    const after =
      before === null
        ? ajouterSerie(this.#database, { titre, places: saisies })
        : modifierSerie(this.#database, before.id, { ...before, places: saisies });
    if (before === null) this.#made.series.push(after.id);
    const known = new Map(before?.places.map((place) => [place.id, place.livreId]));
    for (const place of after.places) {
      if (!known.has(place.id)) this.#made.places.push(place.id);
      else if (known.get(place.id) !== place.livreId) this.#made.filled.push(place.id);
    }
  }

  #livreIdOf({ livreId, ligne }: PlannedPlace): number | null {
    return livreId ?? this.#livreIds.get(ligne) ?? null;
  }
}
