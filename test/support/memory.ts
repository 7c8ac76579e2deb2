import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '/dev/shm';
/**
 * The size of a run's databases, pictures and browser profiles; the memory file system of a container may have only
 * 64 MB.
 */
const NEEDED_BYTES = 2 * 1024 ** 3;

/**
 * Puts the temporary files of this process and its children into memory, if the machine has such a folder: databases
 * then wait for no disk. The folder is removed with the process.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR']?.startsWith(FOLDER) || !hasRoom()) return;
  const folder = mkdtempSync(join(FOLDER, 'rayonnage-'));
  // Services that tests start as another user read here, too.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  try {
    accessSync(FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
