import { Readable } from 'node:stream';
import { statSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { m } from '#messages';
import { ExportSerie, type ExportKind } from '#shared/export';
import {
  MAX_LIGNES_PAR_RAISON,
  MAX_LISTES,
  MAX_RAISONS,
  type ALire,
  type Colonnes,
  type Encodage,
  type Importation,
  type ImportationLigne,
  type ImportationListee,
  type OrdreDates,
  type OrdreNoms,
  type PremiereLigne,
  type SerieProposee,
} from '#shared/importations';
import { Lecture } from '#shared/lectures';
import { LOCALES } from '#shared/locale';
import { Refusal } from '#shared/refusals';
import { shortened } from '#shared/text';
import * as api from '#shared/importations';
import type { Config } from '#server/config';
import { CompressedList } from '#server/plumbing/common/compressed-list';
import { validatorOf } from '#server/plumbing/common/schemas';
import { formatRows } from '#server/plumbing/common/spreadsheet';
import { insertRow } from '#server/plumbing/database/columns';
import { everyDay } from '#server/plumbing/database/daily';
import type { Database } from '#server/plumbing/database/database';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { inPieces, inSlices, runToEnd } from '#server/plumbing/common/slices';
import { openZip } from '#server/plumbing/common/zip';
import { sendItems } from '#server/plumbing/http/json-list';
import { mount, attach } from '#server/plumbing/http/mount';
import { callerKeyOf } from '#server/plumbing/http/identity';
import { whileAwaited } from '#server/plumbing/http/request';
import { withUpload } from '#server/plumbing/http/upload';
import type { Records } from '#server/plumbing/records/records';
import {
  answer,
  operation,
  read,
  UNKNOWN_SIZE,
  type Outcome,
  type Preparation,
  type RunShortWrite,
} from '#server/plumbing/writes/operations';
import { fileNoms } from '#server/subjects/auteurs/auteurs';
import type { Covers } from '#server/subjects/couvertures/couvertures';
import type { Sources } from '#server/plumbing/upstream/sources';
import { readNoms } from '#server/subjects/livres/details';
import { backgroundLookups } from '#server/subjects/recherche';
import {
  invalid,
  raison,
  formatRaison,
  messageOf,
  withSentence,
  type Raison,
} from '#server/plumbing/common/raisons';
import { annulerImportation, executer, type Choices, type PlanOfRevision } from './apply.ts';
import { LostColumns, FileWords } from './proposals.ts';
import { MetadataLookups } from './lookups.ts';
import { FileKeys } from './matching.ts';
import { openFile } from './sniff.ts';
import { LEFT_OUT, planAll, type FileRow, type PlannedRow } from './plan.ts';
import { BOUNDS } from './formats/archive.ts';
import { isZipFile, pictureTaker, takePictures, type TakePicture } from './pictures.ts';
import { inSaidOrder, NameOrder, OpenQuestions } from './questions.ts';
import { readColonnes, signatureOf } from './columns.ts';
import { DETECTED_BY_BYTES, type OpenedFile, type RestOfExport } from './record.ts';
import { cleanRow } from './rows.ts';
import * as store from './store.ts';

// The stages of an import: a file is opened as records, each record is cleaned to a row, each row
// is planned, and planned rows are stored as a dry run, which an execution applies. Each list is
// consumed by the next stage.

interface FileOptions {
  readonly utilisateur: string | null;
  readonly nom: string | null;
  readonly aLire: ALire;
  /** Our field → its header; `null` without an answer. */
  readonly colonnes: Colonnes | null;
  /** The person's answers; without one the file decides. */
  readonly premiereLigne?: PremiereLigne | undefined;
  readonly ordreDates?: OrdreDates | undefined;
  readonly encodage?: Encodage | undefined;
  /** Whether the most frequent words become themes by default (`proposeThemes`). */
  readonly themes?: boolean;
  readonly avertissements?: readonly Raison[];
  /** The keys of the pictures that were taken from the file. */
  readonly couvertures?: readonly string[];
}

/** A file that is read and planned, not yet stored. */
interface Essai {
  readonly record: Omit<store.ImportationRecord, 'id'>;
  readonly rest: Iterable<RestOfExport>;
  /** The column mapping chosen for the table. */
  readonly colonnes: Colonnes | null;
  readonly couvertures: readonly string[];
  readonly planned: PlanOfRevision;
}

/** Reads a file, also at a path, and writes nothing. Throws `FICHIER_INVALIDE`. */
export async function readFichier(
  database: Reader,
  file: Uint8Array | string,
  options: FileOptions,
): Promise<Essai> {
  const { utilisateur, nom, aLire, colonnes } = options;
  const {
    themes = false,
    avertissements = [],
    couvertures = [],
    encodage: chosen = null,
  } = options;
  const remembered = (signature: string) => store.readColonnesOf(database, signature);
  const mapping = { given: colonnes, remembered, premiereLigne: options.premiereLigne };
  const opened = await openFile(file, mapping, chosen);
  const { format, programme, encodage, headers, rest, exemples = [] } = opened;
  const { bibliotheque } = opened.export ?? {};
  const revision = database.revision();
  const keys = new FileKeys(database, bibliotheque);
  const read = cleanRows(opened, keys, { aLire, ordreDates: options.ordreDates });
  const { rows, questions, words, columns, order } = read;
  // A household may have periodicals and no book.
  if (rows.length === 0 && isEmpty(rest)) throw invalid(raison('aucuneLigne'));
  const plan = planAll(database, {
    rows: withSets(rows, keys),
    keys,
    format,
    utilisateur,
    themes: words.propose(themes),
    perdus: columns.propose(opened, readNoms(database)),
    series: [...ofKind(rest, 'series', ExportSerie)],
    lectures: ofKind(rest, 'lectures', Lecture),
  });
  const record = {
    format,
    programme,
    encodage,
    headers,
    colonnes: opened.colonnes,
    nom,
    aLire,
    date: Date.now(),
    etat: 'essai' as const,
    utilisateur: utilisateur ?? '',
    counts: {
      ...plan.counts,
      seriesProposees: plan.series.proposals,
      rest: NO_REST,
      exemples,
      seriesIgnorees: [],
      decisions: [],
      ...(bibliotheque !== undefined && { bibliotheque }),
      ordreDesNoms: order.guess(),
      questions,
      premiereLigne: opened.premiereLigne ?? null,
      deFichier: [...opened.avertissements, ...othersPart(opened, utilisateur), ...avertissements],
      decodage: opened.decodage,
    },
  };
  return { record, rest, colonnes, couvertures, planned: { revision, plan } };
}

/** A warning if another person's records would become the caller's. */
function othersPart({ export: head }: OpenedFile, utilisateur: string | null): Raison[] {
  const of = head?.utilisateur ?? null;
  if (of === null || utilisateur === null || of === utilisateur) return [];
  return [raison('personnelDAutrui', { nom: shortened(of, 40) })];
}

/** The cleaned rows of a file, and what they reveal together. */
function cleanRows(
  { records, format, monthFirst: fileMonthFirst, openDates = null }: OpenedFile,
  keys: FileKeys,
  answers: Pick<FileOptions, 'aLire' | 'ordreDates'>,
) {
  const { aLire, ordreDates = 'jourMois' } = answers;
  const monthFirst = openDates === null ? fileMonthFirst : ordreDates === 'moisJour';
  const rows = new CompressedList<FileRow>();
  const open = new OpenQuestions();
  const [words, columns, order] = [new FileWords(), new LostColumns(), new NameOrder(format)];
  for (const { ligne, record, cells } of records) {
    const read = cleanRow(record, aLire, monthFirst);
    open.add(record, read);
    for (const all of [words, columns, order]) all.add(read);
    keys.add(read.row);
    // A book that the row matches may be deleted before the import.
    const mayBeRefused = read.refus !== null || read.isPending || read.row.isSouhait;
    rows.push({ ligne, read, cells: mayBeRefused ? cells : null });
  }
  const questions = open.questions({ aLire, ordreDates, openDates });
  return { rows, questions, words, columns, order };
}

/** Reads the rows, each with whether it is of a set. */
function* withSets(rows: CompressedList<FileRow>, keys: FileKeys): Generator<FileRow> {
  for (const { read, ...place } of rows.drain())
    yield {
      ...place,
      read: keys.isOfSet(read.row) ? { ...read, row: { ...read.row, isOfSet: true } } : read,
    };
}

const isEmpty = (list: Iterable<unknown>): boolean => list[Symbol.iterator]().next().done === true;

const NO_REST = { shared: 0, personal: 0, filled: 0, refused: 0, returned: 0 };

function* ofKind<S extends TSchema>(
  rest: Iterable<RestOfExport>,
  wanted: ExportKind,
  schema: S,
): Generator<Static<S>> {
  const isOfKind = validatorOf(schema);
  for (const { kind, value } of rest) if (kind === wanted && isOfKind(value)) yield value;
}

/** How many files are being read, by household. */
const underWayIn = new WeakMap<Database, number>();

/** Marks a file as being read until the returned function is called, which deletes abandoned parts. */
export function beginReading(database: Database): () => Promise<void> {
  const countBy = (more: number) =>
    underWayIn.set(database, (underWayIn.get(database) ?? 0) + more);
  countBy(1);
  return async () => {
    countBy(-1);
    if (store.holdsExpired(database, isIdle(database))) await deleteExpired(database);
  };
}

const isIdle = (database: Database): boolean => (underWayIn.get(database) ?? 0) === 0;

const deleteExpired = (database: Database): Promise<void> =>
  database.writeInTurns((tx) => store.deleteExpired(tx, isIdle(database)));

/** The duration of one write of a dry run: others wait no longer. */
const SLICE_MS = 30;

/**
 * Stores a dry run in short writes between which others write, since a file may have a hundred thousand rows. It has
 * no owner until `openEssai` completes it.
 */
export async function keepEssai(
  { record, planned, rest }: Essai,
  runShortWrite: RunShortWrite,
): Promise<number> {
  const id = await runShortWrite((tx) => {
    // Names restored by an undo are compared with all others until they are indexed.
    fileNoms(tx);
    return store.insertImportation(tx, record);
  });
  const inSlices = async <T>(list: Iterable<T>, write: (tx: Transaction, value: T) => void) => {
    const values = list[Symbol.iterator]();
    let next = values.next();
    while (next.done !== true)
      await runShortWrite((tx) => {
        const end = performance.now() + SLICE_MS;
        do {
          if (next.done === true) return;
          write(tx, next.value);
          next = values.next();
        } while (performance.now() < end);
      });
  };
  const { rows, avertissements } = planned.plan;
  await inSlices(rows, (tx, row) => store.writeLigne(tx, id, ligneOf(row)));
  await inSlices(avertissements, (tx, warning) => store.addAvertissements(tx, id, [warning]));
  let position = 0;
  await inSlices(rest, (tx, { kind, value }) => {
    insertRow(tx, 'ImportationReste', {
      importationId: id,
      position: ++position,
      kind,
      content: JSON.stringify(value),
    });
  });
  return id;
}

function ligneOf({ ligne, sort, target, raison, pending, read, cells }: PlannedRow) {
  const mayBeRefused = sort === 'refuse' || read.isPending;
  const record = { ligne, sort, livreId: target.livreId, raison, pending, read };
  return { ...record, cells: mayBeRefused ? cells : null } satisfies store.LigneRecord;
}

/** Gives a complete dry run to its person. */
export function openEssai(
  database: Transaction,
  id: number,
  { record, couvertures, colonnes }: Essai,
): void {
  const { headers, counts } = record;
  store.openEssai(database, id);
  store.writeCouvertures(database, id, couvertures);
  if (colonnes === null) return;
  const { premiereLigne = null } = counts;
  store.writeColonnes(database, signatureOf(headers), { colonnes, premiereLigne });
}

/** Makes a complete dry run on one connection, for the command without a service; returns its id. */
export async function makeEssai(
  database: Database,
  file: Uint8Array | string,
  { take, ...options }: FileOptions & { readonly take?: TakePicture },
): Promise<number> {
  const endReading = beginReading(database);
  try {
    const avertissements = take === undefined ? [] : await takePictures(file, take);
    const essai = await readFichier(database, file, { ...options, avertissements });
    const id = await keepEssai(essai, async (work) => database.write(work));
    database.write((tx) => openEssai(tx, id, essai));
    return id;
  } finally {
    await endReading();
  }
}

/**
 * Executes a dry run, or again an undone import; an executed one only retries its rows without a catalogue answer.
 * Throws `INTROUVABLE`.
 */
export function executerEssai(
  records: Records<Transaction>,
  id: number,
  utilisateur: string | null,
  choices: Choices = {},
  planned?: PlanOfRevision,
): Outcome<Importation> {
  const { database } = records;
  const record = store.requireRecord(database, id, utilisateur);
  const retry = 'UPDATE ImportationLigne SET pending = 1 WHERE importationId = ? AND pending = 2';
  database.run(retry, id);
  const saved =
    record.etat === 'faite' ? undefined : executer(records, record, choices, utilisateur, planned);
  // From now on the records reference the pictures.
  store.deleteCouvertures(database, id);
  return answer(requireImportation(database, id, utilisateur), { saved });
}

export const requireImportation = (
  database: Reader,
  id: number,
  utilisateur: string | null,
): Importation => runToEnd(readImportation(database, id, utilisateur));

/** Yields between two rows, of which each may be as long as a book. */
function* readImportation(
  database: Reader,
  id: number,
  utilisateur: string | null,
): Generator<void, Importation> {
  const record = store.requireRecord(database, id, utilisateur);
  const summary = store.readSummary(database, id);
  if (summary === undefined) throw new Refusal('INTROUVABLE');
  const { counts, colonnes, headers } = record;
  const refuses: Importation['refuses'] = [];
  for (const refused of store.walkLignes(database, id, { sort: 'refuse', limite: MAX_LISTES })) {
    const why = refused.raison ?? raison('niTitreNiIsbn');
    refuses.push({ ligne: refused.ligne, ...withSentence(why), texte: textOf(refused) });
    yield;
  }
  const deFichier = counts.deFichier.map((warning) => ({ ligne: null, ...withSentence(warning) }));
  return {
    ...toListee(summary),
    refuses,
    avertissements: [
      ...deFichier,
      ...store
        .listAvertissements(database, id, MAX_LISTES)
        .map(({ ligne, raison }) => ({ ligne, ...withSentence(raison) })),
    ],
    nombreAvertissements: deFichier.length + store.countAvertissements(database, id),
    raisons: store
      .groupRaisons(database, id, { raisons: MAX_RAISONS, lignes: MAX_LIGNES_PAR_RAISON })
      .map(({ raison, ...rest }) => ({ ...withSentence(raison), ...rest })),
    // A column of entry days is not lost if the days were used.
    perdus: [...counts.perdus, ...counts.perdusThemes].filter(
      ({ entrees }) => entrees === undefined || counts.datesEntree !== true,
    ),
    themes: [...counts.themesProposes],
    ...(counts.decodage ?? DETECTED_BY_BYTES),
    colonnes,
    entetes: colonnes === null ? [] : headers.filter((header) => header !== ''),
    exemples: counts.exemples.map((values) => [...values]),
    ...(counts.premiereLigne && { premiereLigne: counts.premiereLigne }),
    questions: counts.questions ?? {},
    ordreDesNoms: counts.ordreDesNoms ?? new NameOrder(record.format).guess(),
  };
}

export const listerImportations = (
  database: Reader,
  utilisateur: string | null,
): ImportationListee[] => store.listSummaries(database, utilisateur).map(toListee);

function toListee({ date, ...summary }: store.ImportationSummary): ImportationListee {
  const { nouveaux, presents, souhaits, lectures, nombreRefuses } = summary;
  const lignes = nouveaux + presents + souhaits + lectures + nombreRefuses;
  return { ...summary, date: new Date(date).toISOString(), lignes };
}

const MAX_TEXTE_LENGTH = 200;

/** The text that identifies a refused row: its title, else its cells. */
function textOf({ read, cells }: store.LigneRecord): string {
  const texts =
    read.row.titre === '' ? (cells ?? []).filter((cell) => cell !== '') : [read.row.titre];
  return shortened(texts.join(' · '), MAX_TEXTE_LENGTH);
}

export function listerLignes(
  database: Reader,
  id: number,
  utilisateur: string | null,
  page: store.LignePage & { readonly ordreNoms?: OrdreNoms | undefined },
): { readonly total: number; readonly lignes: Iterable<ImportationLigne> } {
  const { counts: decided, format } = store.requireRecord(database, id, utilisateur);
  const { sort: wanted, ordreNoms = decided.ordreNoms } = page;
  const toAnswer = (record: store.LigneRecord): ImportationLigne => {
    const { ligne, sort, livreId, raison: why, read } = record;
    const { titre, isbn } = read.row;
    const auteurs = [...inSaidOrder(read.row.auteurs, format, ordreNoms)];
    const others = store.raisonsOfLigne(database, id, ligne);
    const sentences = {
      raison: why && formatRaison(why),
      texte: textOf(record),
      avertissements: others.map((other) => formatRaison(other)),
      motifs: [...(why === null ? [] : [why]), ...others].map(messageOf),
    };
    return { ligne, sort, titre: titre || null, auteurs, isbn, livreId, ...sentences };
  };
  function* answered(): Generator<ImportationLigne> {
    for (const record of store.walkLignes(database, id, page)) yield toAnswer(record);
  }
  return {
    total: store.countLignes(database, id, wanted),
    lignes: answered(),
  };
}

/** Empty for an import. Throws `INTROUVABLE`. */
export function listerSeriesProposees(
  database: Reader,
  id: number,
  utilisateur: string | null,
): SerieProposee[] {
  const { etat, counts } = store.requireRecord(database, id, utilisateur);
  return etat === 'essai' ? [...counts.seriesProposees] : [];
}

/** The header of the column with the reasons, in any language. */
const RAISON = new Set<string>(LOCALES.map((locale) => m.reason_entete({}, { locale })));

/**
 * The refused rows as a CSV of the file's own columns and the reason, to be mended and imported
 * again. Rows left out on purpose are not among them. Throws `INTROUVABLE`.
 */
export function exporterRefus(
  database: Reader,
  id: number,
  utilisateur: string | null,
): Iterable<string> {
  const { headers } = store.requireRecord(database, id, utilisateur);
  return formatRefus(database, id, headers);
}

function* formatRefus(database: Reader, id: number, headers: readonly string[]): Generator<string> {
  const columns = [...headers.keys()].filter((index) => !RAISON.has(headers[index] ?? ''));
  const header = [...columns.map((index) => headers[index] ?? ''), m.reason_entete()];
  yield formatRows([header], { delimiter: ',', bom: true });
  for (const { cells, raison: why } of store.walkLignes(database, id, { sort: 'refuse' })) {
    const isWritten = cells !== null && why !== LEFT_OUT;
    const row = isWritten
      ? [[...columns.map((index) => cells[index] ?? ''), why === null ? '' : formatRaison(why)]]
      : [];
    yield formatRows(row, { delimiter: ',' });
  }
}

// Operations

/** A received file, and the pictures taken out of it. */
interface Upload {
  readonly path: string;
  /** In bytes; of a zip as it is unpacked. */
  readonly size: number;
  readonly avertissements: readonly Raison[];
  readonly couvertures: readonly string[];
}

/** Limit for reading a file, in processor time (docs/rules.md § 35). */
const CPU_MS = 20_000;
const CPU_MS_A_MB = 2_000;

/** A list is refused beyond this size, and an archive of a hundred thousand books has half. */
const MAX_COUNTED_BYTES = 100_000_000;

/** A hundred thousand rows of a workbook may be half a megabyte, zipped. */
export async function sizeOf(path: string): Promise<number> {
  const { size } = statSync(path);
  if (!isZipFile(path)) return size;
  const zip = await openZip(path, BOUNDS);
  zip.close();
  return Math.max(size, Math.min(zip.unpackedSize, MAX_COUNTED_BYTES));
}

export const cpuMsOf = (size: number): number => CPU_MS + (CPU_MS_A_MB * size) / 1_000_000;

/** A file of a hundred thousand rows takes a third. */
const HEAP_MB = 600;

interface ImportServices {
  readonly config: Config;
  readonly covers: Covers;
  readonly database: Database;
  /**
   * Marks an import as running until its write settles. Throws `IMPORTATION_EN_COURS` if the caller has one, or the
   * household too many.
   *
   * @param tidy releases the pictures afterwards
   */
  readonly begin: (write: Preparation, tidy: () => Promise<void>) => void;
}

/** Reads a file as a dry run, or imports it (docs/rules.md § 36). */
const importation = operation(api.importer, {
  may: 'household',
  async prepare(call, { config, covers, database, begin }: ImportServices): Promise<Upload> {
    const taken: string[] = [];
    begin(call, () => covers.store.letGo(taken));
    return withUpload(call, config.databasePath, async (path) => {
      const { utilisateur, request, reply } = call;
      const signal = whileAwaited(reply);
      const take = pictureTaker(covers.store, { owner: callerKeyOf(request), signal }, taken);
      const room = MAX_COUVERTURES - store.countCouvertures(database, utilisateur);
      const avertissements = isZipFile(path) ? await takePictures(path, take, signal, room) : [];
      return { path, size: await sizeOf(path), avertissements, couvertures: taken };
    });
  },
  holder: 'import',
  // Unknown: a few lines may take as long as a library.
  size: () => UNKNOWN_SIZE,
  bounds: ({ prepared: { size } }) => ({
    cpuMs: cpuMsOf(size),
    heapMb: HEAP_MB,
    refuse: (beyond) => invalid(raison(beyond === 'time' ? 'tropDeTemps' : 'tropDeMemoire')),
  }),
  async readAhead(database, { query, utilisateur, prepared }, runShortWrite) {
    const { path, avertissements, couvertures } = prepared;
    const essai = await readFichier(database, path, {
      utilisateur,
      nom: query.nom ?? null,
      aLire: query.aLire ?? 'statut',
      colonnes: readColonnes(query.colonnes),
      premiereLigne: query.premiereLigne,
      ordreDates: query.ordreDates,
      encodage: query.encodage,
      themes: query.themes ?? false,
      avertissements,
      couvertures,
    });
    return { essai, id: await keepEssai(essai, runShortWrite) };
  },
  run(tx, { query, utilisateur, ahead: { essai, id }, records }) {
    openEssai(tx, id, essai);
    if (query.essai !== false) return answer(requireImportation(tx, id, utilisateur));
    const { answer: made, saved } = executerEssai(records, id, utilisateur, {}, essai.planned);
    const headers = { Location: `/api/importations/${String(id)}` };
    return answer(made, { status: 201, headers, saved });
  },
});

/** Starts from a stored import. */
function beginOnKept(
  call: Preparation & { readonly params: { readonly id: number } },
  { covers, database, begin }: ImportServices,
): void {
  const { utilisateur } = call.request.identity;
  const dropped = store.readCouvertures(database, call.params.id, utilisateur);
  // Only its own pictures: another upload may be using the same ones.
  begin(call, () => covers.store.forget(dropped));
}

const workOf = (database: Reader, { params }: { readonly params: { readonly id: number } }) =>
  store.workOf(database, params.id);

const execution = operation(api.executerImportation, {
  may: 'household',
  prepare: beginOnKept,
  holder: 'import',
  size: workOf,
  run: (_, { params, body, utilisateur, records }) =>
    executerEssai(records, params.id, utilisateur, body),
});

const annulation = operation(api.annulerImportation, {
  may: 'household',
  prepare: beginOnKept,
  holder: 'annulationImport',
  size: workOf,
  run: (_, { params, utilisateur, records }) => annulerImportation(records, params.id, utilisateur),
});

const DEFAULT_LIMIT = 1000;

/** How many files may be uploaded or read at a time. */
const MAX_UNDER_WAY = 4;

/** Pictures that a person's dry runs keep together: a file of the largest size has some 1,500 covers. */
const MAX_COUVERTURES = 2_000;

interface ImportationsContext {
  readonly sources: Sources;
  readonly config: Config;
  readonly covers: Covers;
  readonly database: Database;
}

/** Mounts the endpoints; deletes expired dry runs once a day, and resumes pending lookups. */
export function routes(app: FastifyInstance, context: ImportationsContext): void {
  const { config, covers, database, sources } = context;
  const { locale, openLibraryCoversUrl: coversSite } = config;
  const lookups = new MetadataLookups(
    app.writes,
    backgroundLookups({ sources, coversSite, locale }),
  );
  const forget = async () => {
    await deleteExpired(database);
    await covers.store.forgetIdle();
  };
  if (!database.isReadOnly) app.addHook('onClose', everyDay(forget, { startsNow: true }));
  // In a later event-loop turn, after the request's transaction.
  const lookUp = () =>
    void setImmediate(() => void lookups.resume().catch((error: unknown) => app.log.error(error)));
  app.addHook('onReady', async () => lookUp());
  app.addHook('preClose', async () => lookups.close());
  const underWay = new Set<string>();

  const begin: ImportServices['begin'] = ({ request, afterwards }, tidy) => {
    const owner = callerKeyOf(request);
    if (underWay.has(owner) || underWay.size >= MAX_UNDER_WAY)
      throw new Refusal('IMPORTATION_EN_COURS');
    underWay.add(owner);
    const endReading = beginReading(database);
    afterwards.defer(() => {
      underWay.delete(owner);
      lookUp();
      const ended = Promise.all([endReading(), tidy()]);
      void ended.catch((error: unknown) => app.log.error(error));
    });
  };

  const routes = [
    importation,
    execution,
    annulation,
    read(api.listerImportations, {
      may: 'household',
      run: ({ utilisateur }) => listerImportations(database, utilisateur),
    }),
    read(api.lireImportation, {
      may: 'household',
      run: ({ params, utilisateur, reply }) =>
        inSlices(readImportation(database, params.id, utilisateur), whileAwaited(reply)),
    }),
    read(api.listerImportationLignes, {
      may: 'household',
      run: ({ params, query, utilisateur, reply }) => {
        const page = { ...query, limite: query.limite ?? DEFAULT_LIMIT };
        const { total, lignes } = listerLignes(database, params.id, utilisateur, page);
        return sendItems(reply.header('X-Total-Count', total), lignes);
      },
    }),
    read(api.listerSeriesProposees, {
      may: 'household',
      run: ({ params, utilisateur }) => listerSeriesProposees(database, params.id, utilisateur),
    }),
    read(api.exporterRefus, {
      may: 'household',
      run: ({ params, utilisateur, reply }) => {
        const csv = exporterRefus(database, params.id, utilisateur);
        return attach(reply, 'text/csv', `refus-${params.id}.csv`).send(
          Readable.from(inPieces(csv)),
        );
      },
    }),
  ];
  mount(app, routes, { config, covers, database, begin });
}
