import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux tells what this process has open. */
const OPEN = '/proc/self/fd';

/** The files of a folder that this process has open, deleted ones too: they keep their room on the disk. */
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
