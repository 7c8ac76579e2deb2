import { m } from '#messages';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Couverture, Taille } from '#shared/couvertures';
import { DAY_MS } from '#shared/days';
import { Refusal } from '#shared/refusals';
import { updateRow } from '#server/plumbing/database/columns';
import { FOLDER_OWNER } from '#server/plumbing/database/backup/restore';
import { isBusy, type Database } from '#server/plumbing/database/database';
import { isFullDisk, makeFolder } from '#server/plumbing/database/files';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { QueueOwner } from '#server/plumbing/upstream/queue';
import { decode } from './decoder.ts';
import type { StoredPicture, Picture } from './image.ts';
import { letWait, writeStored } from './addresses.ts';

/** The time and timers; tests have a clock of their own. */
export interface Clock {
  /** In milliseconds since 1970. */
  now(): number;
  /** Returns the function that cancels the call. */
  after(ms: number, call: () => void): () => void;
}

const MAX_DELAY_MS = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, MAX_DELAY_MS)).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * SQL for the stored cover of a row of `d`, as JSON: the chosen one, else that of its address (docs/rules.md § 43).
 * If the chosen file is lost, `source` is `perdue`, and the picture is the address's or else the lost one.
 */
export const COVER = `(SELECT json_object('cle', c.cle, 'couleur', c.couleur, 'largeur', c.largeur, 'hauteur', c.hauteur,
    'source', CASE WHEN d.couvertureCle IS NULL THEN 'adresse'
      WHEN c.cle = d.couvertureCle AND c.perdue = 0 THEN 'personne' ELSE 'perdue' END)
    FROM Couverture c WHERE c.cle = coalesce(
      (SELECT o.cle FROM Couverture o WHERE o.cle = d.couvertureCle AND o.perdue = 0),
      (SELECT a.cle FROM CouvertureAdresse a WHERE a.adresse = d.couvertureAdresse),
      d.couvertureCle))`;

const COLUMNS = 'c.cle, c.type, c.taille, c.largeur, c.hauteur, c.couleur';

const readPicture = (database: Reader, cle: string): StoredPicture | undefined =>
  database.get<StoredPicture>(`SELECT ${COLUMNS} FROM Couverture c WHERE cle = ?`, cle);

export const pictureOfAdresse = (
  database: Reader,
  adresses: readonly string[],
): StoredPicture | undefined =>
  database.get<StoredPicture>(
    `SELECT ${COLUMNS} FROM CouvertureAdresse a JOIN Couverture c ON c.cle = a.cle
       WHERE a.adresse IN (SELECT value FROM json_each(?)) LIMIT 1`,
    JSON.stringify(adresses),
  );

export const isKnownPicture = (database: Reader, cle: string): boolean =>
  readPicture(database, cle) !== undefined;

/** An unchanged record is not written. */
export const writeChosen = (tx: Transaction, table: string, id: number, cle: string | null): void =>
  updateRow(tx, table, id, { couvertureCle: cle });

export function giveCover(
  tx: Transaction,
  table: string,
  id: number,
  couverture: Pick<Couverture, 'cle' | 'source'> | null = null,
): void {
  if (couverture === null || !isKnownPicture(tx, couverture.cle)) return;
  const { cle, source } = couverture;
  if (source === 'personne') {
    writeChosen(tx, table, id, cle);
    return;
  }
  const adresse = tx.value<string | null>(
    `SELECT couvertureAdresse FROM ${table} WHERE id = ?`,
    id,
  );
  if (adresse) writeStored(tx, adresse, cle, Date.now());
}

/** The pictures referenced by an address, a record, a modification or a dry run. */
const NAMED = `SELECT cle FROM CouvertureAdresse WHERE cle IS NOT NULL
  UNION SELECT couvertureCle FROM Couvert WHERE couvertureCle IS NOT NULL
  UNION SELECT cle FROM ModificationCouverture
  UNION SELECT cle FROM ImportationCouverture`;

/** The files that the store may delete: its own and unfinished ones. */
const COVER_FILE = /^([0-9a-f]{64})(?:\.(?:ligne|page)\.webp)?(?:\.[0-9a-f]+\.partiel)?$/u;
const PARTIAL = /\.partiel$/u;

const SUFFIXES: Readonly<Record<Taille, string>> = {
  originale: '',
  ligne: '.ligne.webp',
  page: '.page.webp',
};

/** The pictures of a household as files of one folder, named by the hash of their content. */
export class CoverFiles {
  readonly #folder: string;

  /**
   * Creates a missing folder. Throws for an unusable folder and for another household's.
   *
   * @param household the id of the household, stored in its database
   */
  constructor(folder: string, household: string) {
    makeFolder(folder);
    this.#folder = folder;
    const path = join(folder, FOLDER_OWNER);
    const line = `bibliotheque ${household}\n`;
    const owner = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (owner === line) return;
    // Older versions wrote the name of a database file, or its state.
    if (/^bibliotheque /u.test(owner))
      throw new Error(m.operator_setting_covers_of_another({ file: FOLDER_OWNER }));
    writeFileSync(path, line);
  }

  pathOf(cle: string, taille: Taille): string {
    return join(this.#folder, cle + SUFFIXES[taille]);
  }

  isWhole({ cle, taille }: Pick<StoredPicture, 'cle' | 'taille'>): boolean {
    return statSync(this.pathOf(cle, 'originale'), { throwIfNoEntry: false })?.size === taille;
  }

  async read(cle: string, taille: Taille): Promise<Buffer | null> {
    try {
      return await readFile(this.pathOf(cle, taille));
    } catch (error) {
      if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
      throw error;
    }
  }

  /**
   * Renames a written picture once it is on the disk, so that a crash or a full disk leaves no partial file. Throws
   * the system's error.
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

  async sync(): Promise<void> {
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  remove(cles: Iterable<string>): void {
    for (const cle of cles)
      for (const suffix of Object.values(SUFFIXES))
        rmSync(join(this.#folder, cle + suffix), { force: true });
  }

  clear(known: ReadonlySet<string>, before: number): void {
    for (const name of readdirSync(this.#folder)) {
      const cle = COVER_FILE.exec(name)?.[1];
      const path = join(this.#folder, name);
      const isOver = () => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) <= before;
      if (cle !== undefined && (PARTIAL.test(name) || (!known.has(cle) && isOver())))
        rmSync(path, { force: true });
    }
  }
}

const THUMBNAIL_TYPE = 'image/webp';

/** How long a new picture without a reference is kept: the choice may still be in progress. */
const HELD_MS = 600_000;

/** At a start, for pictures that the database does not know: it may be an older one, put back temporarily. */
const UNKNOWN_MS = 30 * DAY_MS;

export interface StoredImage {
  readonly type: string;
  readonly content: Buffer;
}

export class CoverStore {
  readonly #database: Database;
  readonly #files: CoverFiles;
  readonly #clock: Clock;
  /** When the choices in progress wrote their pictures, by key, the last write at the end. */
  readonly #leases = new Map<string, readonly number[]>();

  /**
   * Opens the store and reconciles folder and database (docs/rules.md § 43): unreferenced pictures are deleted,
   * pictures without files are fetched again. Throws like `CoverFiles`.
   */
  constructor(database: Database, folder: string, clock: Clock = realClock) {
    this.#database = database;
    this.#clock = clock;
    this.#files = new CoverFiles(folder, database.householdId);
    if (!database.isReadOnly) this.#tidyUp();
  }

  /**
   * Writes the files of a picture, the original last, as a mark that all exist. Throws the system's error, without
   * partial files. `note` then registers the picture in the database.
   */
  async write(picture: Picture): Promise<void> {
    const { cle, content, ligne, page } = picture;
    this.#hold(cle);
    // A picture noted as lost may have all its bytes, but damaged.
    if (this.#files.isWhole(picture) && !this.isLost(cle)) return;
    try {
      await this.#files.write(cle, 'ligne', ligne);
      await this.#files.write(cle, 'page', page);
      await this.#files.write(cle, 'originale', content);
      await this.#files.sync();
    } catch (error) {
      this.release(cle);
      throw error;
    }
  }

  /** Registers a picture whose files are written; a known one is no longer marked as lost. */
  note(tx: Transaction, picture: StoredPicture): void {
    tx.run(
      `INSERT INTO Couverture (cle, type, taille, largeur, hauteur, couleur)
       VALUES (@cle, @type, @taille, @largeur, @hauteur, @couleur)
       ON CONFLICT (cle) DO UPDATE SET perdue = 0 WHERE perdue = 1`,
      picture,
    );
  }

  /** Unless the database knows it or another choice wrote it, too. Throws the system's error. */
  release(cle: string): void {
    const leases = this.#leases.get(cle);
    if (leases === undefined) return;
    if (leases.length > 1) this.#leases.set(cle, leases.slice(1));
    else {
      this.#leases.delete(cle);
      if (!isKnownPicture(this.#database, cle)) this.#files.remove([cle]);
    }
  }

  /** Removes the given pictures unless they are referenced or new. Throws the system's error. */
  async forget(cles: readonly string[]): Promise<void> {
    if (cles.length > 0) await this.#database.writeLock.inBackground(() => this.#forget(cles));
  }

  /** Ends the choice that pictures were written for, and removes unreferenced ones. */
  async letGo(cles: readonly string[]): Promise<void> {
    for (const cle of cles) this.release(cle);
    await this.forget(cles);
  }

  /** Removes all that nothing names and that were not written lately. */
  forgetIdle(): Promise<void> {
    return this.forget(this.#database.values<string>('SELECT cle FROM Couverture'));
  }

  #forget(cles: readonly string[]): void {
    this.#releaseOld();
    const idle = JSON.stringify(cles.filter((cle) => !this.#leases.has(cle)));
    const forgotten = this.#database.write((tx) =>
      tx.values<string>(
        `DELETE FROM Couverture
         WHERE cle IN (SELECT value FROM json_each(?)) AND cle NOT IN (${NAMED}) RETURNING cle`,
        idle,
      ),
    );
    // In the same event-loop turn: `write` must not find files that are about to be deleted.
    this.#files.remove(forgotten);
  }

  /**
   * `null` for an unknown picture. A lost or damaged thumbnail is made again; a lost original is recorded, and
   * fetched again if it came from an address. On a full disk neither is written, and the best available file is
   * returned.
   */
  async read(cle: string, taille: Taille): Promise<StoredImage | null> {
    const picture = readPicture(this.#database, cle);
    if (picture === undefined) return null;
    if (taille === 'originale') {
      const content = await this.#readOriginal(picture);
      return content && { type: picture.type, content };
    }
    const kept = await this.#files.read(cle, taille);
    const content = isCompleteWebp(kept) ? kept : await this.#remake(picture, taille);
    return content && { type: THUMBNAIL_TYPE, content };
  }

  isLost(cle: string): boolean {
    const sql = 'SELECT 1 FROM Couverture WHERE cle = ? AND perdue = 1';
    return this.#database.value(sql, cle) !== undefined;
  }

  find(cle: string): (StoredPicture & { readonly path: string }) | null {
    const picture = readPicture(this.#database, cle);
    if (picture === undefined || !this.#files.isWhole(picture)) return null;
    return { ...picture, path: this.#files.pathOf(cle, 'originale') };
  }

  /** The original bytes are stored unchanged. Throws like `Decoder.make` and `write`. */
  async decodeAndWrite(content: Buffer, caller?: QueueOwner): Promise<Picture> {
    const picture = await decode('fromSource', content, caller);
    await this.write(picture);
    return picture;
  }

  /** Like `decodeAndWrite`, and registers the picture; if that fails no files remain. */
  async add(content: Buffer, caller?: QueueOwner): Promise<Picture> {
    const picture = await this.decodeAndWrite(content, caller);
    try {
      await this.#database.writeLock.whenFree(() =>
        this.#database.write((tx) => this.note(tx, picture)),
      );
    } catch (error) {
      this.release(picture.cle);
      throw error;
    }
    return picture;
  }

  #hold(cle: string): void {
    this.#releaseOld();
    const leases = this.#leases.get(cle) ?? [];
    this.#leases.delete(cle);
    this.#leases.set(cle, [...leases, this.#clock.now()]);
  }

  #releaseOld(): void {
    const before = this.#clock.now() - HELD_MS;
    for (const [cle, leases] of this.#leases) {
      if ((leases.at(-1) ?? 0) > before) return;
      this.#leases.delete(cle);
    }
  }

  async #readOriginal({ cle, taille }: StoredPicture): Promise<Buffer | null> {
    const content = await this.#files.read(cle, 'originale');
    if (content?.length === taille) return content;
    this.#noteLost(cle);
    return null;
  }

  async #remake(picture: StoredPicture, taille: 'ligne' | 'page'): Promise<Buffer | null> {
    const { cle } = picture;
    const original = await this.#readOriginal(picture);
    if (original === null) return null;
    if (createHash('sha256').update(original).digest('hex') !== cle) {
      this.#noteLost(cle);
      return null;
    }
    const content = (await decode('thumbnails', original))[taille];
    await this.#files.write(cle, taille, content).catch(unlessFull);
    return content;
  }

  /** Notes a lost original; where nothing can be written now, the next request does. */
  #noteLost(cle: string): void {
    if (this.isLost(cle) || this.#database.writeLock.isHeld) return;
    try {
      this.#database.write((tx) => writeLost(tx, [cle], [cle]));
    } catch (error) {
      if (!isBusy(error)) unlessFull(error);
    }
  }

  #tidyUp(): void {
    const keysOf = (pictures: readonly StoredPicture[]) => pictures.map(({ cle }) => cle);
    const { unnamed, known } = this.#database.write((tx) => {
      tx.run(
        `DELETE FROM CouvertureAdresse WHERE adresse NOT IN
         (SELECT couvertureAdresse FROM Couvert WHERE couvertureAdresse IS NOT NULL)`,
      );
      const unnamed = tx.values<string>(
        `DELETE FROM Couverture WHERE cle NOT IN (${NAMED}) RETURNING cle`,
      );
      const pictures = tx.all<StoredPicture>(`SELECT ${COLUMNS} FROM Couverture c`);
      const lost = pictures.filter((picture) => !this.#files.isWhole(picture));
      writeLost(tx, keysOf(lost), keysOf(pictures));
      return { unnamed, known: new Set(keysOf(pictures)) };
    });
    this.#files.remove(unnamed);
    this.#files.clear(known, this.#clock.now() - UNKNOWN_MS);
  }
}

function unlessFull(error: unknown): void {
  if (!isFullDisk(error) && !(error instanceof Refusal)) throw error;
}

/** Requeues the addresses of lost pictures; records keep the keys of chosen ones. */
function writeLost(tx: Transaction, lost: readonly string[], among: readonly string[]): void {
  tx.run(
    `UPDATE Couverture SET perdue = cle IN (SELECT value FROM json_each(@lost))
       WHERE cle IN (SELECT value FROM json_each(@among))
         AND perdue <> (cle IN (SELECT value FROM json_each(@lost)))`,
    { lost: JSON.stringify(lost), among: JSON.stringify(among) },
  );
  letWait(tx, 'cle IN (SELECT value FROM json_each(?))', JSON.stringify(lost));
}

const isCompleteWebp = (content: Buffer | null): boolean =>
  content !== null && content.length > 8 && content.readUInt32LE(4) + 8 === content.length;
