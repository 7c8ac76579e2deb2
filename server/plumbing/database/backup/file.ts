import { hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { inflateRawSync } from 'node:zlib';
import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import { ZipFile as ZipWriter } from 'yazl';
import { openZip, type Zip } from '#server/plumbing/common/zip';
import { raison, formatRaison, type Raison } from '#server/plumbing/common/raisons';
import { readStart } from '../files.ts';

/** The backup cannot be restored. The message is one sentence for the user. */
export class InvalidBackup extends Error {
  readonly raison: Raison;

  constructor(why: Raison) {
    super(formatRaison(why));
    this.raison = why;
  }
}

const VERSION = 2;
const MANIFEST = 'manifest.json';
const DATABASE = 'bibliotheque.sqlite';
/** Each cover is named by the SHA-256 of its bytes. */
const COVERS = 'couvertures/';
const COVER = new RegExp(`^${COVERS}([0-9a-f]{64})$`);

const MAX_FILES = 1_000_000;
/** Limit for the database, besides twice the size of the zip: as large as an upload may be. */
const MAX_BYTES = 4 * 1024 ** 3;

const Count = Type.Integer({ minimum: 0 });
const OWN = {
  application: Type.Literal('rayonnage'),
  kind: Type.Literal('backup'),
  date: Type.String(),
};

const Manifest = Type.Object({
  ...OWN,
  /** The number of the last migration. */
  schema: Type.Integer({ minimum: 1 }),
  livres: Count,
  couvertures: Count,
  /** The household's id (`Database.householdId`); absent in older backups. */
  bibliotheque: Type.Optional(Type.String()),
  /** Whether a member made it to confirm that the library is meant to be as it is (docs/rules.md § 42). */
  voulu: Type.Optional(Type.Boolean()),
});
export type Manifest = Static<typeof Manifest>;

/** The manifest until version 1.0.0, as far as it is read. */
const FirstManifest = Type.Object({
  ...OWN,
  version: Type.Literal(1),
  database: Type.Object({
    schema: Type.Integer({ minimum: 1 }),
    counts: Type.Object({ Livre: Count }),
  }),
  files: Type.Array(Type.Unknown(), { minItems: 1 }),
});

const refused = (why: Raison): InvalidBackup => new InvalidBackup(why);
const foreign = (): InvalidBackup => refused(raison('pasSauvegarde'));

interface Contents {
  readonly databasePath: string;
  /** Cover files, named by the SHA-256 of their bytes; other names are ignored. */
  readonly covers: readonly string[];
}

export async function writeBackup(
  to: string,
  { databasePath, covers }: Contents,
  about: Omit<Manifest, 'application' | 'kind' | 'couvertures'>,
): Promise<Manifest> {
  const pictures = covers.filter(
    (path) => existsSync(path) && isNamedByBytes(basename(path), readFileSync(path)),
  );
  const manifest: Manifest = {
    application: 'rayonnage',
    kind: 'backup',
    ...about,
    couvertures: pictures.length,
  };
  const zip = new ZipWriter();
  zip.addBuffer(Buffer.from(JSON.stringify({ version: VERSION, ...manifest }, null, 2)), MANIFEST);
  zip.addFile(databasePath, DATABASE);
  for (const path of pictures) zip.addFile(path, COVERS + basename(path), { compress: false });
  zip.end();
  await pipeline(Readable.from(zip.outputStream), createWriteStream(to, { flush: true }));
  return manifest;
}

const isNamedByBytes = (cle: string, bytes: Buffer): boolean => hash('sha256', bytes) === cle;

/** The header of a database, and where in it the number of its last migration stands (`user_version`). */
const SQLITE = { start: 'SQLite format 3\0', schemaAt: 60, bytes: 64 };

/** A backup, or a database alone. */
export const isBackup = (path: string): boolean =>
  readStart(path, 200).includes(MANIFEST) || isDatabase(path);

function isDatabase(path: string): boolean {
  const start = readStart(path, SQLITE.bytes);
  return start.toString('latin1').startsWith(SQLITE.start);
}

/** Offsets in the header of a zip entry, in bytes. */
const HEADER = { method: 8, size: 18, nameLength: 26, extraLength: 28, name: 30 };
const DEFLATED = 8;
const MAX_MANIFEST_BYTES = 64 * 1024;
/** Many times the size of the header with the manifest. */
const START_BYTES = 4096;

/**
 * Reads only the manifest, which `writeBackup` puts at the beginning, so that a folder of backups is listed at once.
 * `null` if there is none.
 */
export function readManifest(path: string): Manifest | null {
  try {
    const start = readStart(path, START_BYTES);
    const contentAt =
      HEADER.name + start.readUInt16LE(HEADER.nameLength) + start.readUInt16LE(HEADER.extraLength);
    if (!start.toString('latin1', HEADER.name, contentAt).startsWith(MANIFEST)) return null;
    const content = start.subarray(contentAt, contentAt + start.readUInt32LE(HEADER.size));
    const json =
      start.readUInt16LE(HEADER.method) === DEFLATED
        ? inflateRawSync(content, { maxOutputLength: MAX_MANIFEST_BYTES })
        : content;
    return toManifest(JSON.parse(json.toString()));
  } catch {
    // A file that is damaged, of another program, or not to be read is of no household that is known.
    return null;
  }
}

export interface OpenBackup {
  /** For a database alone the schema and the day; the restore counts its books after the check. */
  readonly manifest: Manifest;
  readonly isDatabaseAlone: boolean;
  readonly extractDatabase: (to: string) => Promise<void>;
  readonly extractCovers: (folder: string) => Promise<void>;
  readonly readThrough: () => Promise<void>;
  readonly close: () => void;
}

/**
 * Opens a backup; its files are checked while they are taken out. Throws InvalidBackup, as the functions of the result
 * do, for a file that is no backup, is cut or changed, or was written by a later version.
 */
export async function openBackup(path: string): Promise<OpenBackup> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw refused(raison('fichierAbsent', { path }));
  if (!stats.isFile() || !isBackup(path)) throw foreign();
  if (isDatabase(path)) return openDatabaseAlone(path, stats.mtime);
  const zip = await openZip(path, { maxFiles: MAX_FILES, maxBytes: MAX_BYTES, refuse: refused });
  try {
    const manifest = toManifest(JSON.parse(await text(zip.read(MANIFEST))));
    const covers = zip.names.filter((name) => COVER.test(name));
    // A file missing from the directory would be missed by no checksum.
    if (covers.length !== manifest.couvertures || zip.names.length !== covers.length + 2)
      throw refused(raison('archiveAbimee'));
    return {
      manifest,
      isDatabaseAlone: false,
      extractDatabase: (to) => pipeline(zip.read(DATABASE), createWriteStream(to, { flush: true })),
      extractCovers: async (folder) => {
        for (const name of covers) await extractCover(zip, name, folder);
      },
      readThrough: async () => {
        for (const name of zip.names) for await (const piece of zip.read(name)) void piece;
      },
      close: zip.close,
    };
  } catch (error) {
    zip.close();
    throw error instanceof SyntaxError ? foreign() : error;
  }
}

/** A copied `bibliotheque.sqlite`: it has no covers, and no checksum but what the checks of its database say. */
function openDatabaseAlone(path: string, written: Date): OpenBackup {
  const schema = readStart(path, SQLITE.bytes).readUInt32BE(SQLITE.schemaAt);
  // Another program's database counts no migrations.
  if (schema === 0) throw foreign();
  // The last writes of a service that runs, or was killed, are in the log alone.
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) throw refused(raison('baseAvecJournal'));
  const done = () => Promise.resolve();
  return {
    manifest: {
      application: 'rayonnage',
      kind: 'backup',
      date: written.toISOString(),
      schema,
      livres: 0,
      couvertures: 0,
    },
    isDatabaseAlone: true,
    extractDatabase: (to) =>
      pipeline(createReadStream(path), createWriteStream(to, { flush: true })),
    extractCovers: done,
    readThrough: done,
    close: () => undefined,
  };
}

function toManifest(said: unknown): Manifest {
  const version: unknown = Reflect.get(Object(said), 'version');
  if (typeof version === 'number' && version > VERSION)
    throw refused(raison('sauvegardePlusRecente'));
  if (Check(Manifest, said)) return said;
  if (!Check(FirstManifest, said)) throw foreign();
  const { application, kind, date, database, files } = said;
  const { schema, counts } = database;
  return { application, kind, date, schema, livres: counts.Livre, couvertures: files.length - 1 };
}

async function extractCover(zip: Zip, name: string, folder: string): Promise<void> {
  const cle = name.slice(COVERS.length);
  const bytes = await buffer(zip.read(name));
  if (!isNamedByBytes(cle, bytes)) throw refused(raison('archiveAbimee'));
  await writeFile(join(folder, cle), bytes, { flush: true });
}
