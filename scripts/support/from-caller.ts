import { m } from '#messages';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Resolves a path in the folder in which npm was called. */
export const fromCaller = (path: string): string => resolve(process.env['INIT_CWD'] ?? '.', path);

/** Reads a file that the caller names. Throws for a device such as /dev/zero, which never ends. */
export function readFromCaller(given: string): Buffer {
  const path = fromCaller(given);
  const stats = statSync(path);
  // The system's own error of reading a folder does not name it.
  if (stats.isDirectory()) throw new Error(m.operator_system_folder({ path }));
  if (stats.isCharacterDevice() || stats.isBlockDevice())
    throw new Error(m.operator_system_unusable({ path }));
  return readFileSync(path);
}
