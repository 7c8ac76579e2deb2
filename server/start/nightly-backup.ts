import { parentPort } from 'node:worker_threads';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import type { Source } from '#server/plumbing/database/backup/backup';

// The thread of one nightly backup, started by `database/backup/backup.ts`: reading all pages back takes seconds in a
// large household, during which nobody would be answered.

async function backUp({ databasePath, coversPath, folder }: Source): Promise<void> {
  const { path } = await makeBackup(databasePath, folder, { isNightly: true, coversPath });
  parentPort?.postMessage(path);
}

parentPort?.once('message', (source: Source) => void backUp(source));
