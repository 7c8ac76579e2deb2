import { parentPort } from 'node:worker_threads';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import type { NightlyBackup, HousePaths } from '#server/plumbing/database/backup/backup';

// The thread of one nightly backup, started by `database/backup/backup.ts`: reading all pages back
// takes seconds in a large household and would block all requests.

async function backUp({ databasePath, coversPath, folder }: HousePaths): Promise<void> {
  const options = { isNightly: true, coversPath };
  const { path, fullest } = await makeBackup(databasePath, folder, options);
  parentPort?.postMessage({ path, fullest } satisfies NightlyBackup);
}

parentPort?.once('message', (paths: HousePaths) => void backUp(paths));
