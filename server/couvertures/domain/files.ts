import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Taille } from '#shared/couvertures';
import { makeFolder } from '#server/database/room';

/** The files that may be deleted: those that this service names, and the rest of an interrupted write. */
const OWN = /^([0-9a-f]{64})(?:\.(?:ligne|page)\.webp)?(?:\.[0-9a-f]+\.partiel)?$/u;
const PARTIAL = /\.partiel$/u;

/** The file that names the database to which the folder belongs. */
const OWNER = 'bibliotheque.txt';

const SUFFIXES: Readonly<Record<Taille, string>> = {
  originale: '',
  ligne: '.ligne.webp',
  page: '.page.webp',
};

/** The pictures of a household as files of one folder, each under the hash of its content. */
export class CoverFiles {
  readonly #folder: string;

  /** Makes the folder where there is none; throws the system's error where it cannot. */
  constructor(folder: string) {
    makeFolder(folder);
    this.#folder = folder;
  }

  pathOf(cle: string, taille: Taille): string {
    return join(this.#folder, cle + SUFFIXES[taille]);
  }

  has(cle: string, taille: Taille): boolean {
    return existsSync(this.pathOf(cle, taille));
  }

  /** The bytes of a picture; `null` where it is not there. */
  async read(cle: string, taille: Taille): Promise<Buffer | null> {
    try {
      return await readFile(this.pathOf(cle, taille));
    } catch (error) {
      if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
      throw error;
    }
  }

  /**
   * Writes a picture beside its place and gives it its name once it is on the disk: no crash and no
   * full disk leaves half of one. Throws the system's error, with nothing left behind.
   */
  async write(cle: string, taille: Taille, content: Buffer): Promise<void> {
    const path = this.pathOf(cle, taille);
    const partial = `${path}.${randomBytes(6).toString('hex')}.partiel`;
    try {
      const file = await open(partial, 'wx');
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  /** Waits until the folder's entries are on the disk as well. */
  async sync(): Promise<void> {
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Removes pictures, unless the folder belongs to another database; see `clear`. */
  remove(cles: Iterable<string>, owner: string): void {
    if (!this.#isOwnedBy(owner)) return;
    for (const cle of cles)
      for (const suffix of Object.values(SUFFIXES))
        rmSync(join(this.#folder, cle + suffix), { force: true });
  }

  /**
   * Removes half-written files, and the pictures that are not among `known`; returns the keys of the
   * others. In a folder that belongs to another database nothing is removed: a picture that this one does
   * not know may be a photograph of the other's.
   *
   * @param owner the name of the database's file
   */
  clear(known: ReadonlySet<string>, owner: string): Set<string> {
    const isOwned = this.#isOwnedBy(owner);
    const present = new Set<string>();
    for (const name of readdirSync(this.#folder)) {
      const cle = OWN.exec(name)?.[1];
      if (cle === undefined) continue;
      if (isOwned && (PARTIAL.test(name) || !known.has(cle)))
        rmSync(join(this.#folder, name), { force: true });
      else if (name === cle && known.has(cle)) present.add(cle);
    }
    return present;
  }

  /** Whether the folder belongs to a database; the first one that asks becomes its owner. */
  #isOwnedBy(owner: string): boolean {
    const path = join(this.#folder, OWNER);
    if (existsSync(path)) return readFileSync(path, 'utf8').trim() === owner;
    writeFileSync(path, `${owner}\n`);
    return true;
  }
}
