import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Age at which what an interrupted process has left is removed. */
const LEFTOVER_MS = 24 * 60 * 60 * 1000;

/**
 * Makes a folder beside a path for what is not finished yet, whose name begins as that of the path; no two share
 * one, and the folders above it are made. The caller removes it; what a killed process left a day ago goes now.
 */
export function makeWorkspace(path: string): string {
  const [folder, prefix] = [dirname(path), `${basename(path)}.partiel-`];
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder).filter((each) => each.startsWith(prefix))) {
    const { mtimeMs = Infinity } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > LEFTOVER_MS)
      rmSync(join(folder, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(folder, prefix));
}

/** Removes such a folder, where a file may still come of a writing that was broken off. */
export const removeWorkspace = (workspace: string): void =>
  rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
