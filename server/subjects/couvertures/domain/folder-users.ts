import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What tells a database from every other, its copies included. */
export interface DatabaseIdentity {
  /** Kept in the database; drawn anew when a backup is restored. */
  readonly epoque: string;
  /** The number of its file, which a copy does not share. */
  readonly inode: string;
  /** What an older version knew it by, and what every household has as a default. */
  readonly fileName: string;
}

/**
 * The databases that have used a folder of covers: a line each in a file of the folder. Pictures are
 * removed only where there is no other one: what this database does not name may be a photograph of
 * the other's (docs/rules.md § 43). Whoever knows that the others are gone deletes the file.
 */
export class FolderUsers {
  readonly #path: string;
  readonly #database: DatabaseIdentity;

  constructor(folder: string, database: DatabaseIdentity) {
    this.#path = join(folder, 'bibliotheque.txt');
    this.#database = database;
  }

  /**
   * Adds the database to the users of the folder.
   *
   * @param knowsAll whether the database knows every picture of the folder
   */
  enter(knowsAll: boolean): void {
    const users = this.#users();
    if (users.includes(this.#user)) return;
    if (users.length === 0 || this.#isOwn(users, knowsAll)) writeFileSync(this.#path, '');
    appendFileSync(this.#path, `${this.#user}\n`);
  }

  /** Whether no other database has used the folder. */
  isAlone(): boolean {
    const users = this.#users();
    return users.length === 1 && users[0] === this.#user;
  }

  /** Whether the folder's only user is this database, under what it was then. */
  #isOwn([user = '', ...others]: readonly string[], knowsAll: boolean): boolean {
    if (others.length > 0) return false;
    const { epoque, fileName } = this.#database;
    if (user === fileName) return knowsAll;
    // Moved together with its folder: a copy that uses the folder of its original finds that one's file.
    const [epoqueThen, , fileThen] = user.split(' ');
    return epoqueThen === epoque && fileThen !== inodeOf(this.#path);
  }

  #users(): string[] {
    if (!existsSync(this.#path)) return [];
    return readFileSync(this.#path, 'utf8').split('\n').filter(Boolean);
  }

  get #user(): string {
    return `${this.#database.epoque} ${this.#database.inode} ${inodeOf(this.#path)}`;
  }
}

const inodeOf = (path: string): string =>
  String(statSync(path, { bigint: true, throwIfNoEntry: false })?.ino);
