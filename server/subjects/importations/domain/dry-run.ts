import { Check } from 'typebox/value';
import type { ExportSerie } from '#shared/export';
import type { Colonnes } from '#shared/importations';
import { dateOfLecture, Lecture, type Notation } from '#shared/lectures';
import { fileNoms } from '#server/subjects/auteurs/store/auteurs';
import type { Database } from '#server/plumbing/database/database';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { duringSmallHeap } from '#server/plumbing/common/small-heap';
import * as store from '../store/importations.ts';
import type { ImportationRecord } from '../store/importations.ts';
import * as lignes from '../store/lignes.ts';
import { readReste, writeReste } from '../store/reste.ts';
import { cleanRow, type ALire } from './clean-row.ts';
import { writeContent } from './content.ts';
import { signatureOf } from './formats/mapping.ts';
import { openExport } from './formats/rayonnage.ts';
import type { FileRecord, OpenedFile, TakePicture } from './opened-file.ts';
import type { ReadRow } from './row.ts';
import { Planner, type PlannedRow } from './plan.ts';
import { openFile } from './open-file.ts';
import { deleteExpired } from './records.ts';
import { invalid } from './invalid.ts';

/** Files above this size are read with a small heap, which takes longer. */
const LARGE_BYTES = 5 * 1024 * 1024;

/** What the sender says of a file. */
interface FileOptions {
  readonly utilisateur: string | null;
  readonly nom: string | null;
  readonly aLire: ALire;
  /** Our field → its header, as its person says; `null` where nothing is said. */
  readonly colonnes: Colonnes | null;
  /** Takes in a picture of a household's export; an unreadable one is left. */
  readonly takePicture?: TakePicture;
  /** Aborted when nobody waits for the dry run any more, which then ends and leaves nothing. */
  readonly signal?: AbortSignal;
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
  const file = await openFile(bytes, {
    given: options.colonnes,
    remembered: (signature) => store.readColonnes(database, signature),
  });
  const read = () => keepReading(database, file, options);
  const id = await (bytes.length > LARGE_BYTES ? duringSmallHeap(read) : read());
  const { colonnes } = options;
  if (colonnes !== null)
    await write(database, (tx) => store.writeColonnes(tx, signatureOf(file.headers), colonnes));
  return id;
}

/** The same for a household's export at a path, which may be larger than memory. */
export const lireExport = (
  database: Database,
  path: string,
  options: FileOptions,
): Promise<number> =>
  duringSmallHeap(async () => keepReading(database, await openExport(path), options));

async function keepReading(
  database: Database,
  file: OpenedFile,
  options: FileOptions,
): Promise<number> {
  const id = await database.writeLock.whenFree(() => {
    deleteExpired(database);
    return database.write((tx) => {
      store.deleteUnfinished(tx);
      return store.insertImportation(tx, newRecord(file, options));
    });
  });
  try {
    await readRows(database, id, file, options);
  } catch (error) {
    await write(database, (tx) => store.deleteImportation(tx, id));
    throw error;
  } finally {
    file.close?.();
  }
  return id;
}

/** Writes once no other connection does. */
const write = <T>(database: Database, work: (tx: Transaction) => T): Promise<Awaited<T>> =>
  database.writeLock.whenFree(() => database.write(work));

async function readRows(
  database: Database,
  id: number,
  file: OpenedFile,
  { utilisateur, aLire, takePicture, signal }: FileOptions,
): Promise<void> {
  const dryRun = new DryRun(database, id, utilisateur, aLire);
  const endWithRequest = (): void => {
    if (signal?.aborted === true) throw invalid('L’envoi de ce fichier a été abandonné.');
  };
  const keep = (work: (tx: Transaction) => void) => {
    endWithRequest();
    return write(database, work);
  };
  let restCount = 0;
  for await (const { kind, values } of file.rest?.() ?? []) {
    restCount += values.length;
    if (kind === 'lectures') dryRun.countLectures(values.filter((value) => Check(Lecture, value)));
    await keep((tx) =>
      writeReste(
        tx,
        id,
        values.map((value) => ({ kind, content: JSON.stringify(value) })),
      ),
    );
  }
  for await (const records of file.records()) await keep((tx) => dryRun.take(tx, records));
  if (file.rest !== undefined) dryRun.takeSeries(readReste(database, id, 'series'));
  if (takePicture !== undefined)
    await file.takePictures?.((content) => {
      endWithRequest();
      return takePicture(content);
    });
  // A household may have periodicals and no book.
  if (dryRun.count + restCount === 0) throw invalid('Ce fichier n’a aucune ligne.');
  const counts = { ...dryRun.counts(file.avertissements()), exemples: file.exemples ?? [] };
  await keep((tx) => store.updateImportation(tx, id, { etat: 'essai', counts }));
}

interface TakenRow extends Pick<FileRecord, 'ligne' | 'cells'> {
  readonly read: ReadRow;
}

/** Plans and keeps the rows of a file as they come. */
class DryRun {
  count = 0;
  readonly #id: number;
  readonly #utilisateur: string | null;
  readonly #aLire: ALire;
  readonly #planner: Planner;
  #statuts = 0;
  #prets = 0;
  #notes = 0;
  #datesDeLecture = 0;

  constructor(database: Reader, id: number, utilisateur: string | null, aLire: ALire) {
    this.#id = id;
    this.#utilisateur = utilisateur;
    this.#aLire = aLire;
    this.#planner = new Planner(database, utilisateur);
  }

  take(tx: Transaction, records: readonly FileRecord[]): void {
    // Names that an undoing has brought back are compared with every other until they are filed.
    fileNoms(tx);
    const rows = records.map(({ ligne, raw, cells }) => ({
      ligne,
      cells,
      read: cleanRow(raw, this.#aLire),
    }));
    for (const row of this.#planner.planAll(rows)) this.#keep(tx, row, row.planned);
  }

  /** Plans the series of a household's export, once all rows are taken. */
  takeSeries(series: readonly ExportSerie[]): void {
    this.#planner.planExported(series);
  }

  #keep(tx: Transaction, { ligne, cells, read }: TakenRow, planned: PlannedRow): void {
    this.count++;
    if (planned.setsStatut) this.#statuts++;
    if (planned.opensPret) this.#prets++;
    if (planned.sort !== 'refuse') this.countLectures(read.row.lectures ?? []);
    const { sort, livreId, raison } = planned;
    const isRefused = sort === 'refuse';
    lignes.writeLigne(tx, this.#id, {
      ligne,
      sort,
      livreId,
      raison,
      pending: isRefused && read.isPending ? 1 : 0,
      content: writeContent(read),
      cells: isRefused ? JSON.stringify(cells) : null,
    });
  }

  /** Counts the ratings and the dates that readings bring; nobody’s are left out. */
  countLectures(lectures: readonly Pick<Notation, 'debut' | 'fin' | 'note'>[]): void {
    if (this.#utilisateur === null) return;
    this.#notes += lectures.filter(({ note }) => note !== null).length;
    this.#datesDeLecture += lectures.filter((lecture) => dateOfLecture(lecture) !== null).length;
  }

  counts(ofFile: readonly string[]): store.Counts {
    return {
      statuts: this.#statuts,
      prets: this.#prets,
      series: this.#planner.series.all.length,
      notes: this.#notes,
      datesDeLecture: this.#datesDeLecture,
      avertissements: [
        ...ofFile.map((raison) => ({ ligne: 1, raison })),
        ...this.#planner.avertissements,
      ],
    };
  }
}

function newRecord(file: OpenedFile, options: FileOptions): Omit<ImportationRecord, 'id'> {
  const { format, encodage, headers, colonnes } = file;
  return {
    format,
    encodage,
    headers,
    colonnes,
    nom: options.nom,
    aLire: options.aLire,
    utilisateur: options.utilisateur ?? '',
    date: Date.now(),
    etat: 'lecture',
    made: null,
    counts: { statuts: 0, prets: 0, series: 0, avertissements: [] },
  };
}
