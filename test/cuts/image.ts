import fs, { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../support/database.ts';
import type { random } from '../support/random.ts';

/** The contents of a folder's files at one moment, by path. */
export type Image = ReadonlyMap<string, Buffer>;

/** Files that a start creates anew. */
const LEFT_OUT = /-shm$|\.lock$/;

export function imageOf(folder: string): Image {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && !LEFT_OUT.test(file.name),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}

/** A new folder with the files of an image. */
export function folderOf(image: Image): string {
  const folder = temporaryFolder();
  for (const [path, bytes] of image) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

type Chance = Pick<ReturnType<typeof random>, 'integer'>;

const PAGE_BYTES = 4096;

/**
 * What a power cut may leave of a write: the log up to any byte of the write; or, if the write has begun a
 * checkpoint, only some pages of the database. A log that was restarted is on the disk, and so is the database with
 * the previous log.
 */
export function torn(before: Image, after: Image, { integer }: Chance): Image {
  const left = new Map(after);
  for (const [path, bytes] of after) {
    if (!path.endsWith('.sqlite')) continue;
    const [oldLog = Buffer.alloc(0), log = Buffer.alloc(0)] = [before, after].map((image) =>
      image.get(`${path}-wal`),
    );
    const old = before.get(path) ?? bytes;
    const isSameLog = oldLog
      .subarray(0, LOG_HEADER_BYTES)
      .equals(log.subarray(0, LOG_HEADER_BYTES));
    if (isSameLog && !old.equals(bytes)) left.set(path, somePages(old, bytes, integer));
    else left.set(`${path}-wal`, partOf(oldLog, log, integer));
  }
  return left;
}

const LOG_HEADER_BYTES = 32;

function partOf(old: Buffer, log: Buffer, integer: Chance['integer']): Buffer {
  const same = firstDifference(old, log);
  const cut = same + integer(log.length - same + 1);
  return Buffer.concat([log.subarray(0, cut), old.subarray(cut)]);
}

function firstDifference(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return at;
  return length;
}

function somePages(old: Buffer, bytes: Buffer, integer: Chance['integer']): Buffer {
  const mixed = Buffer.from(bytes);
  for (let at = 0; at < old.length; at += PAGE_BYTES)
    if (integer(2) === 0) old.copy(mixed, at, at, at + PAGE_BYTES);
  return mixed;
}

const STEPS = ['renameSync', 'rmSync', 'linkSync', 'copyFileSync', 'cpSync', 'fsyncSync'] as const;

/** Runs work, and returns the images of a folder before each change of its files. */
export async function imagesDuring(folder: string, work: () => unknown): Promise<Image[]> {
  const images: Image[] = [];
  const originals = STEPS.map((name) => [name, Reflect.get(fs, name)] as const);
  for (const [name, original] of originals)
    Reflect.set(fs, name, (...args: unknown[]) => {
      images.push(imageOf(folder));
      return Reflect.apply(original, fs, args) as unknown;
    });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const [name, original] of originals) Reflect.set(fs, name, original);
    syncBuiltinESMExports();
  }
  return [...images, imageOf(folder)];
}
