import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux lists what this process has open. */
const OPEN = '/proc/self/fd';

/** The open files of a folder, even deleted ones, which keep their room on the disk. */
export function openFilesIn(folder: string): string[] {
  if (!existsSync(OPEN)) return [];
  return readdirSync(OPEN)
    .map((name) => {
      try {
        return readlinkSync(join(OPEN, name));
      } catch {
        return ''; // the listing itself
      }
    })
    .filter((path) => path.startsWith(`${folder}/`));
}
