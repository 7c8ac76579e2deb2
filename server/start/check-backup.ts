import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { CheckOutcome } from '#server/plumbing/database/backup/check';
import { BACKUP_CHECK } from '#server/plumbing/paths';

// The process that checks one database for `database/backup/check.ts`. SQLite blocks one thread;
// the other one notices the end of the service and exits the process.

if (isMainThread) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  const worker = new Worker(BACKUP_CHECK, { argv: process.argv.slice(2) });
  worker.once('message', (outcome: CheckOutcome) => process.send?.(outcome));
} else {
  const [question = '', path = ''] = process.argv.slice(2);
  void answer(question, path);
}

async function answer(question: string, path: string): Promise<void> {
  // Loaded in the worker alone: the other thread needs none of it.
  const { outcomeOf } = await import('#server/plumbing/database/backup/check');
  // Checking rows needs all subjects, which take a while to load.
  const { checkRows } = question === 'rows' ? await import('./check-rows.ts') : {};
  parentPort?.postMessage(outcomeOf(question, path, checkRows));
}
