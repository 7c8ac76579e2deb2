import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** This process's open files of a folder, including deleted ones, which still occupy the disk. */
export const openFilesIn = (folder: string): string[] =>
  openFilesOf('self').filter((path) => path.startsWith(`${folder}/`));

/** The open files of a process; none where the system has no list of them, as Linux has. */
export function openFilesOf(pid: number | 'self' | undefined): string[] {
  const list = `/proc/${pid}/fd`;
  if (!existsSync(list)) return [];
  return readdirSync(list).map((name) => {
    try {
      return readlinkSync(join(list, name));
    } catch {
      return ''; // closed since, as the folder being listed is
    }
  });
}
