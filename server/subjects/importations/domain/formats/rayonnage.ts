import { createHash } from 'node:crypto';
import { buffer, text } from 'node:stream/consumers';
import { Check } from 'typebox/value';
import { withAbsentFields } from '#shared/absent-fields';
import {
  EXPORT_COVERS,
  EXPORT_HEAD,
  EXPORT_VERSION,
  ExportHead,
  ExportLivre,
  ExportSouhait,
  exportKindNames,
  exportKinds,
  type ExportKind,
} from '#shared/export';
import { LONG_TEXTS } from '#shared/fields';
import { STATUTS } from '#shared/statuts';
import { oneLine } from '#shared/text';
import { openZip, type Zip } from '#server/plumbing/common/zip';
import { damaged, invalid } from '../invalid.ts';
import { jsonValues } from '../json.ts';
import {
  RECORD_HEADERS,
  recordCells,
  type FileRecord,
  type OpenedFile,
  type TakePicture,
} from '../opened-file.ts';
import type { Lecture, RawRow } from '../row.ts';

/** What all files of an export may hold together, unpacked: a hundred thousand books take a tenth. */
const MAX_BYTES = 500_000_000;
const MAX_FILES = 100_000;
const MAX_RECORDS = 200_000;
const BATCH = 1000;

/** The kinds whose records are rows of the import; the others are kept beside these. */
const ROWS: Partial<Record<ExportKind, (value: unknown) => RawRow>> = {
  livres: toLivre,
  souhaits: toSouhait,
};

/** Whether a zip begins as a household's export does. */
export const isExport = (head: string): boolean => head.includes(EXPORT_HEAD);

/**
 * Opens a household's own export, in memory or at a path: its books and wishes are rows, the rest is kept
 * with them.
 */
export async function openExport(source: Buffer | string): Promise<OpenedFile> {
  const zip = await openZip(source, {
    maxFiles: MAX_FILES,
    maxBytes: MAX_BYTES,
    refuse: invalid,
  });
  try {
    const head = readHead(await text(zip.read(EXPORT_HEAD)));
    const avertissements =
      head.utilisateur === null ? ['cet export ne contient que ce qui est partagé'] : [];
    return {
      format: 'rayonnage',
      encodage: 'utf-8',
      colonnes: null,
      headers: RECORD_HEADERS,
      records: () => readRows(zip, head),
      rest: () => readRest(zip, head, avertissements),
      takePictures: (take) => takePictures(zip, avertissements, take),
      avertissements: () => avertissements,
      close: zip.close,
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function* readRows(zip: Zip, head: ExportHead): AsyncGenerator<FileRecord[]> {
  let ligne = 0;
  for (const kind of exportKindNames) {
    const toRaw = ROWS[kind];
    if (toRaw === undefined) continue;
    for await (const values of readKind(zip, head, kind))
      yield values.map((value) => {
        const raw = toRaw(value);
        return { ligne: ++ligne, raw, cells: recordCells(raw) };
      });
  }
}

async function* readRest(
  zip: Zip,
  head: ExportHead,
  avertissements: string[],
): AsyncGenerator<{ kind: ExportKind; values: unknown[] }> {
  for (const kind of exportKindNames) {
    if (ROWS[kind] !== undefined) continue;
    let unread = 0;
    for await (const values of readKind(zip, head, kind)) {
      const fitting = values.filter((value) => Check(exportKinds[kind], value));
      unread += values.length - fitting.length;
      yield { kind, values: fitting };
    }
    if (unread > 0) avertissements.push(`fiches illisibles dans ${kind}.json : ${unread}`);
  }
}

const PICTURE = new RegExp(`^${EXPORT_COVERS}([0-9a-f]{64})(?:\\.\\w+)?$`);

/** A picture of one colour has thousands of pixels a byte, a cover less than ten: what takes long to decode is bounded. */
const PIXELS_A_BYTE = 20;
const MIN_PIXELS = 100_000_000;

/** The pictures that are whole: each has its name from its bytes. */
async function takePictures(zip: Zip, avertissements: string[], take: TakePicture): Promise<void> {
  let pixels = MIN_PIXELS + PIXELS_A_BYTE * zip.size;
  let [damagedCount, leftCount] = [0, 0];
  for (const name of zip.names) {
    const [, cle] = PICTURE.exec(name) ?? [];
    if (cle === undefined) continue;
    if (pixels <= 0) {
      leftCount++;
      continue;
    }
    const content = await buffer(zip.read(name));
    if (createHash('sha256').update(content).digest('hex') === cle) pixels -= await take(content);
    else damagedCount++;
  }
  if (damagedCount > 0)
    avertissements.push(`couvertures abîmées, laissées de côté : ${damagedCount}`);
  if (leftCount > 0)
    avertissements.push(`couvertures de trop pour ce fichier, laissées de côté : ${leftCount}`);
}

function readHead(json: string): ExportHead {
  const head = parse(json);
  const version: unknown = Reflect.get(Object(head), 'version');
  if (typeof version === 'number' && version > EXPORT_VERSION)
    throw invalid('Cet export vient d’une version plus récente de Rayonnage : mettez-le à jour.');
  if (!Check(ExportHead, head))
    throw invalid('C’est une archive zip, et pas un export de Rayonnage.');
  return head;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw damaged();
  }
}

/** The records of a kind in batches, as many as the export says; none of a kind that it does not name. */
async function* readKind(
  zip: Zip,
  { counts }: ExportHead,
  kind: ExportKind,
): AsyncGenerator<unknown[]> {
  // A version that did not have the kind yet.
  if (counts[kind] === undefined) return;
  let batch: unknown[] = [];
  let count = 0;
  for await (const value of jsonValues(decoded(zip.read(`json/${kind}.json`)))) {
    if (++count > MAX_RECORDS) throw invalid('Cette archive a trop de fiches.');
    batch.push(presentDay(kind, value));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (count !== counts[kind]) throw damaged();
  if (batch.length > 0) yield batch;
}

/** A record of an older version with every field of today, and its texts of one line in one line. */
function presentDay(kind: ExportKind, record: unknown): unknown {
  const pending = [record];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next))
      if (typeof value !== 'string') pending.push(value);
      else if (!LONG_TEXTS.has(key)) Reflect.set(next, key, oneLine(value).trim());
  }
  return typeof record === 'object' && record !== null
    ? withAbsentFields(exportKinds[kind], record)
    : record;
}

async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

const NONE: RawRow = { titre: '', auteurs: [], refus: 'la fiche ne se lit pas' };

function toLivre(value: unknown): RawRow {
  if (!Check(ExportLivre, value)) return NONE;
  const open = value.prets.find(({ dateRetour }) => dateRetour === null);
  return {
    titre: value.titre,
    auteurs: value.auteurs.map(({ nom }) => nom),
    isbns: value.isbn === null ? [] : [value.isbn],
    editeur: value.editeur ?? '',
    annee: String(value.annee ?? ''),
    nombrePages: String(value.nombrePages ?? ''),
    isNumerique: value.format === 'Numerique',
    lecture: value.statut === null ? null : LECTURES[value.statut],
    pret: open === undefined ? null : { emprunteur: open.emprunteur, date: open.datePret },
    kept: { livre: value },
  };
}

const LECTURES: Readonly<Record<0 | 1 | 2, Lecture>> = {
  [STATUTS.aLire]: 'aLire',
  [STATUTS.enCours]: 'enCours',
  [STATUTS.lu]: 'lu',
};

function toSouhait(value: unknown): RawRow {
  if (!Check(ExportSouhait, value)) return NONE;
  const { titre, auteur, isbn } = value;
  return {
    titre,
    auteurs: auteur === null ? [] : [auteur],
    isbns: isbn === null ? [] : [isbn],
    lecture: 'souhait',
    kept: { souhait: value },
  };
}
