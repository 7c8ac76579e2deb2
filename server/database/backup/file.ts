import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { ZipFile as ZipWriter } from 'yazl';
import { InvalidBackup } from './invalid-backup.ts';

/** The shape of backups; a later one may add files, an unknown number is refused. */
const VERSION = 1;
/** The first entry of the zip. */
export const MANIFEST = 'manifest.json';
/** What the manifest may say at most: of the whole, and of each file. */
const MANIFEST_BYTES = 100_000;
const MANIFEST_BYTES_OF_FILE = 500;
const MAX_ENTRIES = 1_000_000;
/** The name of the database in a backup. */
const DATABASE_NAME = 'bibliotheque.sqlite';

const Count = Type.Integer({ minimum: 0 });

/** The folder of the covers in a backup, each under the SHA-256 of its bytes. */
const COVERS = 'couvertures/';
const COVER = new RegExp(`^${COVERS}([0-9a-f]{64})$`);

/** What a backup says of itself: what the database holds, and every other file with its checksum. */
export const Manifest = Type.Object({
  application: Type.Literal('rayonnage'),
  kind: Type.Literal('backup'),
  version: Type.Integer({ minimum: 1 }),
  date: Type.String(),
  database: Type.Object({
    schema: Type.Integer({ minimum: 1 }),
    epoque: Type.Union([Type.String(), Type.Null()]),
    revision: Count,
    counts: Type.Record(Type.String(), Count),
  }),
  files: Type.Array(
    Type.Object({ name: Type.String(), bytes: Count, sha256: Type.String({ minLength: 64 }) }),
  ),
});
export type Manifest = Static<typeof Manifest>;

const CUT = 'Ce fichier est coupé ou abîmé : il lui manque une partie ou il a été modifié.';
const FOREIGN = 'Ce fichier n’est pas une sauvegarde de Rayonnage.';

/** The seal is the zip's comment: the digest of all that stands before it, in hexadecimal. */
const SEAL_PREFIX = 'rayonnage-sha256:';
const SEAL_LENGTH = SEAL_PREFIX.length + 64;

/** What goes into a backup. */
interface Contents {
  readonly databasePath: string;
  /** Files of covers, each named by the SHA-256 of its bytes; a file with another name is left out. */
  readonly covers: readonly string[];
}

/** Writes a backup; it is complete and synced to the disk on return. */
export async function writeBackup(
  to: string,
  { databasePath, covers }: Contents,
  about: Pick<Manifest, 'date' | 'database'>,
): Promise<void> {
  const pictures = await listCovers(covers);
  const manifest: Manifest = {
    application: 'rayonnage',
    kind: 'backup',
    version: VERSION,
    ...about,
    files: [
      {
        name: DATABASE_NAME,
        bytes: statSync(databasePath).size,
        sha256: await digest(createReadStream(databasePath)),
      },
      ...pictures.map(({ path: _, ...file }) => file),
    ],
  };
  const zip = new ZipWriter();
  zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 2)), MANIFEST);
  zip.addFile(databasePath, DATABASE_NAME);
  for (const { name, path } of pictures) zip.addFile(path, name, { compress: false });
  zip.end({ comment: SEAL_PREFIX + '0'.repeat(64), forceZip64Format: false });
  await pipeline(Readable.from(zip.outputStream), createWriteStream(to));
  await seal(to);
}

/** The covers whose bytes match their names. */
async function listCovers(paths: readonly string[]) {
  const pictures = [];
  for (const path of paths) {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size;
    if (bytes === undefined) continue;
    const sha256 = await digest(createReadStream(path));
    if (sha256 === basename(path)) pictures.push({ name: COVERS + sha256, bytes, sha256, path });
  }
  return pictures;
}

async function seal(path: string): Promise<void> {
  const at = statSync(path).size - 64;
  const sha256 = await digest(createReadStream(path, { end: at - 1 }));
  const file = await open(path, 'r+');
  try {
    await file.write(sha256, at, 'latin1');
    await file.sync();
  } finally {
    await file.close();
  }
}

interface OpenBackup {
  readonly manifest: Manifest;
  /** Writes its database to a path; what is there more or less than the manifest says is refused. */
  readonly extractDatabase: (to: string) => Promise<void>;
  /** Writes its covers into a folder that is there, each under its digest. */
  readonly extractCovers: (folder: string) => Promise<void>;
  readonly close: () => void;
}

/**
 * Opens a backup and checks it to its last byte. Throws InvalidBackup for a file that is none, that is
 * cut or changed, or that a later version has written.
 */
export async function openBackup(path: string): Promise<OpenBackup> {
  await checkSeal(path);
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuse(CUT));
  try {
    const entries = await readEntries(zip);
    const manifest = await readManifest(zip, entries.get(MANIFEST));
    const database = manifest.files.find(({ name }) => name === DATABASE_NAME);
    const entry = entries.get(DATABASE_NAME);
    if (database === undefined || entry === undefined)
      throw new InvalidBackup('Il n’y a pas de base de données dans cette sauvegarde.');
    return {
      manifest,
      close: () => zip.close(),
      extractDatabase: (to) => extract(zip, entry, database, to),
      extractCovers: async (folder) => {
        for (const file of manifest.files) {
          const cle = COVER.exec(file.name)?.[1];
          const cover = entries.get(file.name);
          if (cle === undefined) continue;
          if (cover === undefined || file.sha256 !== cle) throw new InvalidBackup(CUT);
          await extract(zip, cover, file, join(folder, cle));
        }
      },
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function checkSeal(path: string): Promise<void> {
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: -1 };
  if (size < 0) throw new InvalidBackup(`Il n’y a pas de fichier à ${path}.`);
  const file = await open(path, 'r');
  try {
    if (!(await file.stat()).isFile()) throw new InvalidBackup(FOREIGN);
    const head = await readAt(file, 0, 4);
    if (head.toString('latin1') !== 'PK\x03\x04') throw new InvalidBackup(FOREIGN);
    const sealed = (await readAt(file, Math.max(0, size - SEAL_LENGTH), SEAL_LENGTH)).toString(
      'latin1',
    );
    if (!sealed.startsWith(SEAL_PREFIX)) {
      // A zip that ends like one is another program's; one that does not has lost its end.
      const tail = await readAt(file, Math.max(0, size - 22), 22);
      throw new InvalidBackup(tail.toString('latin1').startsWith('PK\x05\x06') ? FOREIGN : CUT);
    }
    const sha256 = await digest(createReadStream(path, { end: size - 65 }));
    if (sealed.slice(SEAL_PREFIX.length) !== sha256) throw new InvalidBackup(CUT);
  } finally {
    await file.close();
  }
}

async function readAt(
  file: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<Buffer> {
  const { bytesRead, buffer: bytes } = await file.read(Buffer.alloc(length), 0, length, position);
  return bytes.subarray(0, bytesRead);
}

/** The entries by name; names that lead out of the archive are refused by the library. */
async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (zip.entryCount > MAX_ENTRIES) throw new InvalidBackup(FOREIGN);
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

async function readManifest(zip: ZipFile, entry: Entry | undefined): Promise<Manifest> {
  const most = MANIFEST_BYTES + zip.entryCount * MANIFEST_BYTES_OF_FILE;
  if (entry === undefined || entry.uncompressedSize > most) throw new InvalidBackup(FOREIGN);
  const text = (await buffer(await zip.openReadStreamPromise(entry))).toString('utf8');
  const said: unknown = JSON.parse(text);
  const version: unknown = Reflect.get(Object(said), 'version');
  if (typeof version === 'number' && version > VERSION)
    throw new InvalidBackup(
      'Cette sauvegarde vient d’une version plus récente de Rayonnage : mettez Rayonnage à jour.',
    );
  if (!Check(Manifest, said)) throw new InvalidBackup(FOREIGN);
  return said;
}

async function extract(
  zip: ZipFile,
  entry: Entry,
  { bytes, sha256 }: Manifest['files'][number],
  to: string,
): Promise<void> {
  // The library ends a stream that becomes longer than its entry says.
  if (entry.uncompressedSize !== bytes) throw new InvalidBackup(CUT);
  await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(to, { flush: true }));
  if ((await digest(createReadStream(to))) !== sha256) throw new InvalidBackup(CUT);
}

async function digest(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(stream, hash);
  return hash.digest('hex');
}

const refuse = (sentence: string) => (error: unknown) => {
  throw Object.assign(new InvalidBackup(sentence), { cause: error });
};
