import type { Taille } from '#shared/couvertures';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Asker } from '#server/plumbing/upstream/queue';
import * as store from '../store/pictures.ts';
import { realClock, type Clock } from './clock.ts';
import { CoverFiles } from './files.ts';
import { fromSource, thumbnailsOf } from './decoder.ts';
import type { Picture } from './picture.ts';

const THUMBNAIL_TYPE = 'image/webp';

/** A written picture that no record names yet is kept this long: its choice may be under way. */
const HELD_MS = 600_000;

/** When a picture was last written, and how many have written it who may still have the database know it. */
interface Hold {
  readonly since: number;
  readonly holders: number;
}

/** A kept picture as it is answered with. */
interface KeptImage {
  readonly type: string;
  readonly content: Buffer;
}

/** A kept picture and its file, for an export or a backup. */
interface KeptFile extends store.KeptPicture {
  readonly path: string;
}

/** The covers that a household keeps: files of a folder, and what the database knows of them. */
export class CoverLibrary {
  readonly #database: Database;
  readonly #files: CoverFiles;
  readonly #clock: Clock;
  /** The pictures written lately, by key, the longest ago first. */
  readonly #held = new Map<string, Hold>();

  /**
   * Opens the library and reconciles folder and database (docs/rules.md § 43): pictures that nothing
   * names are deleted, and those whose files are lost are fetched again. Throws the system's
   * error for a folder that cannot be used.
   */
  constructor(database: Database, folder: string, clock: Clock = realClock) {
    this.#database = database;
    this.#clock = clock;
    this.#files = new CoverFiles(folder, database);
    if (!database.isReadOnly) this.#tidyUp();
  }

  /**
   * Writes the files of a picture, its own last, which says that all of them are there. Throws the
   * system's error, with no half of one left. `note` then makes the database know it.
   */
  async write(picture: Picture): Promise<void> {
    const { cle, content, ligne, page } = picture;
    this.#hold(cle);
    if (this.#files.isWhole(picture)) return;
    await this.#files.write(cle, 'ligne', ligne);
    await this.#files.write(cle, 'page', page);
    await this.#files.write(cle, 'originale', content);
    await this.#files.sync();
  }

  /** Makes the database know a picture whose files are written. */
  note(tx: Transaction, { cle, type, taille, largeur, hauteur, couleur }: Picture): void {
    store.insertPicture(tx, { cle, type, taille, largeur, hauteur, couleur });
  }

  /**
   * Removes a written picture that was refused after all, unless the database knows it or somebody else wrote
   * it as well. Throws the system's error.
   */
  release(cle: string): void {
    const hold = this.#held.get(cle);
    if (hold === undefined) return;
    if (hold.holders > 1) this.#held.set(cle, { ...hold, holders: hold.holders - 1 });
    else {
      this.#held.delete(cle);
      if (store.readPicture(this.#database, cle) === undefined) this.#files.remove([cle]);
    }
  }

  /**
   * Removes those of these pictures that nothing names (docs/rules.md § 43) and that were not written
   * lately. Throws the system's error.
   */
  forget(cles: Iterable<string>): void {
    this.#releaseOld();
    const idle = [...cles].filter((cle) => !this.#held.has(cle));
    const forgotten = this.#database.write((tx) => store.forgetUnnamed(tx, idle));
    // In the same turn of the event loop: `write` must not find files that are about to be deleted.
    this.#files.remove(forgotten);
  }

  /**
   * A picture by its key; `null` for one that is not kept. A thumbnail that is lost, or not whole, is made
   * again; an original is noted as lost, and fetched again where an address gave it.
   */
  async read(cle: string, taille: Taille): Promise<KeptImage | null> {
    const picture = store.readPicture(this.#database, cle);
    if (picture === undefined) return null;
    if (taille === 'originale') {
      const content = await this.#readOriginal(picture);
      return content && { type: picture.type, content };
    }
    const kept = await this.#files.read(cle, taille);
    const content = isWholeWebp(kept) ? kept : await this.#remake(picture, taille);
    return content && { type: THUMBNAIL_TYPE, content };
  }

  /** Whether the file of a picture that the database knows is lost. */
  isLost(cle: string): boolean {
    return store.isLost(this.#database, cle);
  }

  /** A picture by its key with its file, for an export; `null` for one that is not kept. */
  find(cle: string): KeptFile | null {
    const picture = store.readPicture(this.#database, cle);
    if (picture === undefined || !this.#files.isWhole(picture)) return null;
    return { ...picture, path: this.#files.pathOf(cle, 'originale') };
  }

  /**
   * Makes the thumbnails of a picture from a source, whose bytes stay as they came, and writes its files.
   * Throws what `Decoder.make` and `write` throw.
   */
  async prepare(content: Buffer, asker?: Asker): Promise<Picture> {
    const picture = await fromSource(content, asker);
    await this.write(picture);
    return picture;
  }

  /** Prepares a picture and makes the database know it. */
  async takeIn(content: Buffer, asker?: Asker): Promise<Picture> {
    const picture = await this.prepare(content, asker);
    await this.#database.writeLock.whenFree(() =>
      this.#database.write((tx) => this.note(tx, picture)),
    );
    return picture;
  }

  #hold(cle: string): void {
    this.#releaseOld();
    const holders = (this.#held.get(cle)?.holders ?? 0) + 1;
    this.#held.delete(cle);
    this.#held.set(cle, { since: this.#clock.now(), holders });
  }

  #releaseOld(): void {
    const before = this.#clock.now() - HELD_MS;
    for (const [cle, { since }] of this.#held) {
      if (since > before) return;
      this.#held.delete(cle);
    }
  }

  async #readOriginal({ cle, taille }: store.KeptPicture): Promise<Buffer | null> {
    const content = await this.#files.read(cle, 'originale');
    if (content?.length === taille) return content;
    // The next one to ask notes it, where a long write is under way.
    if (!this.isLost(cle) && !this.#database.writeLock.isHeld)
      this.#database.write((tx) => store.writeLost(tx, [cle]));
    return null;
  }

  async #remake(picture: store.KeptPicture, taille: 'ligne' | 'page'): Promise<Buffer | null> {
    const original = await this.#readOriginal(picture);
    if (original === null) return null;
    const content = (await thumbnailsOf(original))[taille];
    await this.#files.write(picture.cle, taille, content);
    return content;
  }

  #tidyUp(): void {
    const list = () => store.listPictures(this.#database);
    const keysOf = (pictures: readonly store.KeptPicture[]) => pictures.map(({ cle }) => cle);
    this.#database.write((tx) => {
      this.#files.enter(new Set(keysOf(list())));
      store.forgetUnwanted(tx);
      const known = list();
      this.#files.clear(new Set(keysOf(known)));
      const lost = known.filter((picture) => !this.#files.isWhole(picture));
      store.writeLost(tx, keysOf(lost), keysOf(known));
    });
  }
}

/** Whether bytes are a WebP of the length that its header says. */
const isWholeWebp = (content: Buffer | null): boolean =>
  content !== null && content.length > 8 && content.readUInt32LE(4) + 8 === content.length;
