import { m } from '#messages';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { BACKUP_CHECK } from '#server/plumbing/paths';
import { raison, type Raison } from '#server/plumbing/common/raisons';
import { InvalidBackup } from './file.ts';
import { withDatabase } from './database-file.ts';
import { checkCode } from './schema.ts';

/**
 * `copy`: the pages of our own backup; `backup`: the pages and SQL code of a foreign one; `rows`: the rows of either,
 * after the upgrade.
 */
type Question = 'copy' | 'backup' | 'rows';

/** Ten times the longest duration on the card of a small machine. */
const BASE_MS = 60_000;
const MS_A_MEGABYTE = 1000;

const limitFor = (path: string): number =>
  BASE_MS + (statSync(path).size / 1_000_000) * MS_A_MEGABYTE;

export type CheckOutcome =
  | { readonly isSound: true }
  | { readonly invalid: Raison }
  | { readonly error: { readonly message: string; readonly code: unknown } };

/**
 * Checks a database in a child process with a time limit: SQLite cannot be interrupted, and a crafted file may never
 * end (docs/rules.md § 42). Throws InvalidBackup if it is damaged, takes too long or, as a foreign one, has code that
 * no migration creates; another error if the check itself failed.
 */
export async function check(
  question: Question,
  path: string,
  limitMs = limitFor(path),
): Promise<void> {
  const child = fork(BACKUP_CHECK, [question, path], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const end = () => void child.kill('SIGKILL');
  const finished = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limitMs);
  process.once('exit', end);
  try {
    const ended = once(child, 'exit', finished).then((how): CheckOutcome =>
      isLate ? { invalid: ENDLESS } : { error: { message: silent(how), code: undefined } },
    );
    const answered = new Promise<CheckOutcome>((resolve) =>
      child.once('message', (outcome: CheckOutcome) => resolve(outcome)),
    );
    const outcome = await Promise.race([ended, answered]);
    if ('invalid' in outcome) throw new InvalidBackup(outcome.invalid);
    if ('error' in outcome) throw Object.assign(new Error(outcome.error.message), outcome.error);
  } finally {
    finished.abort();
    clearTimeout(timer);
    process.off('exit', end);
    end();
  }
}

const ENDLESS = raison('sauvegardeSansFin');

/** @param how exit code and signal of the process */
const silent = (how: readonly unknown[]): string =>
  m.reason_backup_check_silent({ how: how.map(String).join(', ') });

/**
 * The work of the process.
 *
 * @param checkRows for the question `rows`: throws InvalidBackup for a row that no start could read
 */
export function outcomeOf(
  question: string,
  path: string,
  checkRows?: (path: string) => void,
): CheckOutcome {
  try {
    if (checkRows !== undefined) {
      checkRows(path);
      return { isSound: true };
    }
    // Checked first: SQLite evaluates expressions of indexes and CHECK constraints while it reads
    // pages.
    if (question !== 'copy') checkCode(path);
    return withDatabase(path, isSound) ? { isSound: true } : { invalid: DAMAGED };
  } catch (error) {
    if (error instanceof InvalidBackup) return { invalid: error.raison };
    const { message } = error instanceof Error ? error : new Error(String(error));
    const code: unknown = Reflect.get(Object(error), 'code');
    if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(String(code))) return { invalid: DAMAGED };
    return { error: { message, code } };
  }
}

const DAMAGED = raison('sauvegardeAbimee');

/** Reads every page. */
const isSound = (db: Sqlite.Database): boolean =>
  db.pragma('integrity_check', { simple: true }) === 'ok' &&
  db.prepare('PRAGMA foreign_key_check').get() === undefined;
