import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Taille } from '#shared/couvertures';
import { makeFolder } from '#server/plumbing/database/disk-errors';
import { FolderUsers, type DatabaseIdentity } from './folder-users.ts';

/** The files that may be deleted: those that this service names, and the rest of an interrupted write. */
const OWN = /^([0-9a-f]{64})(?:\.(?:ligne|page)\.webp)?(?:\.[0-9a-f]+\.partiel)?$/u;
const PARTIAL = /\.partiel$/u;

const SUFFIXES: Readonly<Record<Taille, string>> = {
  originale: '',
  ligne: '.ligne.webp',
  page: '.page.webp',
};

/** A picture, and how many bytes it has. */
interface WholeFile {
  readonly cle: string;
  readonly taille: number;
}

/** The pictures of a household as files of one folder, each under the hash of its content. */
export class CoverFiles {
  readonly #folder: string;
  readonly #users: FolderUsers;

  /** Makes the folder where there is none; throws the system's error where it cannot. */
  constructor(folder: string, database: DatabaseIdentity) {
    makeFolder(folder);
    this.#folder = folder;
    this.#users = new FolderUsers(folder, database);
  }

  /** Makes the database a user of the folder; `known` are the keys of the pictures that it knows. */
  enter(known: ReadonlySet<string>): void {
    this.#users.enter(this.#cles().every((cle) => known.has(cle)));
  }

  pathOf(cle: string, taille: Taille): string {
    return join(this.#folder, cle + SUFFIXES[taille]);
  }

  /** Whether a picture is there with all of its bytes. */
  isWhole({ cle, taille }: WholeFile): boolean {
    return statSync(this.pathOf(cle, 'originale'), { throwIfNoEntry: false })?.size === taille;
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

  /** Removes pictures, unless another database uses the folder as well. */
  remove(cles: Iterable<string>): void {
    if (!this.#users.isAlone()) return;
    for (const cle of cles)
      for (const suffix of Object.values(SUFFIXES))
        rmSync(join(this.#folder, cle + suffix), { force: true });
  }

  /**
   * Removes half-written files, and the pictures that are not among `known`, unless another database uses
   * the folder as well.
   */
  clear(known: ReadonlySet<string>): void {
    if (!this.#users.isAlone()) return;
    for (const name of readdirSync(this.#folder)) {
      const cle = OWN.exec(name)?.[1];
      if (cle !== undefined && (PARTIAL.test(name) || !known.has(cle)))
        rmSync(join(this.#folder, name), { force: true });
    }
  }

  /** The keys of the pictures that are there whole. */
  #cles(): string[] {
    return readdirSync(this.#folder).filter((name) => OWN.exec(name)?.[1] === name);
  }
}
