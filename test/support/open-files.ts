import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Linux lists this process's open files here. */
const OPEN = '/proc/self/fd';

/** The open files of a folder, including deleted ones, which still occupy the disk. */
export function openFilesIn(folder: string): string[] {
  if (!existsSync(OPEN)) return [];
  return readdirSync(OPEN)
    .map((name) => {
      try {
        return readlinkSync(join(OPEN, name));
      } catch {
        return ''; // the folder being listed
      }
    })
    .filter((path) => path.startsWith(`${folder}/`));
}
