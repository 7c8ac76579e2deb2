import type { Colonnes, Importation, ImportationLigne, Sort } from '#shared/importations';
import { Refusal } from '#shared/refusals';
import { askAbout } from '#server/complements/store';
import type { Database } from '#server/database/database';
import { duringSmallHeap, withSmallHeap } from '#server/domain/small-heap';
import * as store from '../store/importations.ts';
import type { ImportationRecord } from '../store/importations.ts';
import * as lignes from '../store/lignes.ts';
import { writeReste } from '../store/reste.ts';
import { keepMade } from './act.ts';
import { cleanRow, type ALire } from './clean-row.ts';
import { readContent, writeContent } from './content.ts';
import { execute, type Choices } from './execution.ts';
import { openExport } from './formats/rayonnage.ts';
import type { FileRecord, OpenedFile } from './opened-file.ts';
import type { ReadRow } from './row.ts';
import { Planner } from './plan.ts';
import { openFile, signatureOf } from './reading.ts';

/** What is larger is read with little memory, which takes longer. */
const LARGE_BYTES = 5 * 1024 * 1024;
const LARGE_ROWS = 20_000;

const DAY_MS = 24 * 60 * 60 * 1000;
/** A dry run is kept so long, and an import can be undone so long (docs/rules.md § 36, 37). */
const ESSAI_MS = DAY_MS;
export const UNDO_MS = 30 * DAY_MS;

/** What is told of a file besides its bytes. */
interface FileOptions {
  readonly utilisateur: string | null;
  readonly nom: string | null;
  readonly aLire: ALire;
  /** Our field → its header, as its person says; `null` where nothing is said. */
  readonly colonnes: Colonnes | null;
  /** Takes in a picture of a household's export; an unreadable one is left. */
  readonly takePicture?: (content: Buffer) => Promise<void>;
}

/**
 * Reads a file and keeps what would become of each row; writes nothing of the household. Long work:
 * others get turns meanwhile. Returns the id of the dry run. Throws `FICHIER_INVALIDE`.
 */
export async function lireFichier(
  database: Database,
  bytes: Buffer,
  options: FileOptions,
): Promise<number> {
  const file = openFile(bytes, {
    given: options.colonnes,
    remembered: (signature) => store.readColonnes(database, signature),
  });
  const read = () => keepReading(database, file, options);
  const id = await (bytes.length > LARGE_BYTES ? duringSmallHeap(read) : read());
  if (options.colonnes !== null)
    store.writeColonnes(database, signatureOf(file.headers), options.colonnes);
  return id;
}

/** The same for a household's export at a path, which may be larger than memory. */
export const lireExport = (
  database: Database,
  path: string,
  options: FileOptions,
): Promise<number> => duringSmallHeap(() => keepReading(database, openExport(path), options));

async function keepReading(
  database: Database,
  file: OpenedFile,
  options: FileOptions,
): Promise<number> {
  tidy(database);
  const id = store.insertImportation(database, newRecord(file, options));
  try {
    await readRows(database, id, file, options);
  } catch (error) {
    store.deleteImportation(database, id);
    throw error;
  }
  return id;
}

async function readRows(
  database: Database,
  id: number,
  file: OpenedFile,
  { utilisateur, aLire, takePicture }: FileOptions,
): Promise<void> {
  const reading = new Reading(database, id, utilisateur, aLire);
  let restCount = 0;
  for await (const { kind, values } of file.rest?.() ?? []) {
    restCount += values.length;
    database.write(() =>
      writeReste(
        database,
        id,
        values.map((value) => ({ kind, content: JSON.stringify(value) })),
      ),
    );
  }
  for await (const records of file.records()) database.write(() => reading.take(records));
  if (takePicture !== undefined)
    for await (const content of file.pictures?.() ?? []) await takePicture(content);
  // A household may have periodicals and no book.
  if (reading.count + restCount === 0)
    throw new Refusal('FICHIER_INVALIDE', { raison: 'Ce fichier n’a aucune ligne.' });
  store.updateImportation(database, id, {
    etat: 'essai',
    counts: reading.counts(file.avertissements()),
  });
}

/** Plans and keeps the rows of a file as they are read. */
class Reading {
  count = 0;
  readonly #database: Database;
  readonly #id: number;
  readonly #aLire: ALire;
  readonly #planner: Planner;
  readonly #avertissements: { ligne: number; raison: string }[] = [];
  #statuts = 0;
  #prets = 0;

  constructor(database: Database, id: number, utilisateur: string | null, aLire: ALire) {
    this.#database = database;
    this.#id = id;
    this.#aLire = aLire;
    this.#planner = new Planner(database, utilisateur);
  }

  take(records: readonly FileRecord[]): void {
    const cleaned = records.map((record) => ({ record, read: cleanRow(record.raw, this.#aLire) }));
    this.#planner.lookAhead(cleaned.map(({ read }) => read.row));
    for (const { record, read } of cleaned) this.#take(record, read);
  }

  #take({ ligne, cells }: FileRecord, read: ReadRow): void {
    const fate = this.#planner.plan(ligne, read);
    this.count++;
    if (fate.setsStatut) this.#statuts++;
    if (fate.opensPret) this.#prets++;
    for (const raison of [...read.avertissements, ...fate.avertissements])
      this.#avertissements.push({ ligne, raison });
    const isRefused = fate.sort === 'refuse';
    lignes.writeLigne(this.#database, this.#id, {
      ...{ ligne, sort: fate.sort, livreId: fate.livreId, raison: fate.raison },
      pending: isRefused && read.isPending ? 1 : 0,
      content: writeContent(read),
      cells: isRefused ? JSON.stringify(cells) : null,
    });
  }

  counts(ofFile: readonly string[]): store.Counts {
    return {
      statuts: this.#statuts,
      prets: this.#prets,
      series: this.#planner.series.all.length,
      avertissements: [...ofFile.map((raison) => ({ ligne: 1, raison })), ...this.#avertissements],
    };
  }
}

/**
 * Makes a dry run real; one that is real already stays as it is, and rows without an answer of the
 * catalogues are to be tried again. To be called in a transaction, and
 * directly: a savepoint around so much work makes SQLite many times slower. Throws `INTROUVABLE`.
 */
export function executer(
  database: Database,
  id: number,
  utilisateur: string | null,
  choices: Choices = {},
): Importation {
  const record = requireRecord(database, id, utilisateur);
  if (record.etat === 'lecture') throw new Refusal('IMPORTATION_EN_COURS');
  lignes.retryPending(database, id);
  if (record.etat === 'essai') {
    const make = () => execute(database, record, choices);
    const isLarge = sum(Object.values(lignes.countSorts(database, id))) > LARGE_ROWS;
    const { made, counts } = isLarge ? withSmallHeap(make) : make();
    store.updateImportation(database, id, { etat: 'faite', date: Date.now(), made, counts });
    askAbout(database, made.livres);
  }
  const importation = lireImportation(database, id, utilisateur);
  if (record.etat === 'essai') keepMade(database, importation, utilisateur);
  return importation;
}

/** One import of a caller's own. Throws `INTROUVABLE`. */
export function lireImportation(
  database: Database,
  id: number,
  utilisateur: string | null,
): Importation {
  return describe(database, requireRecord(database, id, utilisateur));
}

/** A caller's imports and dry runs, newest first. */
export function listerImportations(database: Database, utilisateur: string | null): Importation[] {
  tidyOld(database);
  return store
    .listImportations(database, utilisateur ?? '')
    .map((record) => describe(database, record));
}

/** A page of the rows of an import, and how many there are in all. Throws `INTROUVABLE`. */
export function listerLignes(
  database: Database,
  id: number,
  utilisateur: string | null,
  page: { sort?: Sort | undefined; limite?: number | undefined; decalage?: number | undefined },
): { total: number; lignes: ImportationLigne[] } {
  requireRecord(database, id, utilisateur);
  const { sort, limite = 100_000, decalage = 0 } = page;
  const counts = lignes.countSorts(database, id);
  return {
    total: sort === undefined ? sum(Object.values(counts)) : counts[sort],
    lignes: lignes.listLignes(database, id, { sort, limite, decalage }).map(toLigne),
  };
}

/** Throws `INTROUVABLE` for another's, and for a dry run that is over. */
export function requireRecord(
  database: Database,
  id: number,
  utilisateur: string | null,
): ImportationRecord {
  const record = store.readImportation(database, id, utilisateur ?? '');
  const isOver = record?.etat === 'essai' && record.date < Date.now() - ESSAI_MS;
  if (record === undefined || isOver) throw new Refusal('INTROUVABLE');
  return record;
}

function describe(database: Database, record: ImportationRecord): Importation {
  const { id, etat, date, nom, format, encodage, counts, colonnes, headers } = record;
  const sorts = lignes.countSorts(database, id);
  return {
    ...{ id, etat, date: new Date(date).toISOString(), nom, format, encodage },
    lignes: sum(Object.values(sorts)),
    ...{ nouveaux: sorts.nouveau, presents: sorts.present, souhaits: sorts.souhait },
    ...{ statuts: counts.statuts, prets: counts.prets, series: counts.series },
    enRecherche: lignes.countPending(database, id),
    refuses: lignes
      .listLignes(database, id, { sort: 'refuse', limite: -1, decalage: 0 })
      .map(({ ligne, raison, cells, content }) => ({
        ...{ ligne, raison: raison ?? '', texte: textOf(cells, content) },
      })),
    avertissements: [...counts.avertissements],
    colonnes,
    entetes: colonnes === null ? [] : headers.filter((header) => header !== ''),
  };
}

const MAX_TEXTE_LENGTH = 200;

/** What names a refused row to its person: its title, else its cells. */
function textOf(cells: string | null, content: string): string {
  const { row } = readContent(content);
  if (row.titre !== '') return row.titre.slice(0, MAX_TEXTE_LENGTH);
  const parsed: unknown = JSON.parse(cells ?? '[]');
  const texts = Array.isArray(parsed) ? parsed.map(String).filter((cell) => cell !== '') : [];
  return texts.join(' · ').slice(0, MAX_TEXTE_LENGTH);
}

function toLigne({ ligne, sort, livreId, raison, content }: lignes.LigneRecord): ImportationLigne {
  const { titre, auteurs, isbn } = readContent(content).row;
  return { ligne, sort, titre: titre || null, auteurs: [...auteurs], isbn, livreId, raison };
}

function newRecord(file: OpenedFile, options: FileOptions): Omit<ImportationRecord, 'id'> {
  const { format, encodage, headers, colonnes } = file;
  return {
    ...{ format, encodage, headers, colonnes, nom: options.nom, aLire: options.aLire },
    utilisateur: options.utilisateur ?? '',
    ...{ date: Date.now(), etat: 'lecture', made: null },
    counts: { statuts: 0, prets: 0, series: 0, avertissements: [] },
  };
}

/** Before a reading: what a process that was killed has left, and what is over. */
function tidy(database: Database): void {
  store.deleteUnfinished(database);
  tidyOld(database);
}

function tidyOld(database: Database): void {
  store.deleteOldEssais(database, Date.now() - ESSAI_MS);
  store.deleteOldLignes(database, Date.now() - UNDO_MS);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
