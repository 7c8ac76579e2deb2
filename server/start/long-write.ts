import { once } from 'node:events';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { Database } from '#server/plumbing/database/database';
import { isRefusal } from '#server/plumbing/common/error-body';
import { kinds } from '#server/start/kinds';
import { Journal } from '#server/plumbing/records/journal';
import { Records } from '#server/plumbing/records/records';
import {
  bodyOf,
  Writes,
  type Job,
  type JobResult,
  type AnyLongOperation,
} from '#server/plumbing/writes/writes';
import * as emplacements from '#server/subjects/emplacements';
import * as importations from '#server/subjects/importations/importations';
import * as livres from '#server/subjects/livres/livres';
import { withAct } from '#server/subjects/modifications/acts';
import * as modifications from '#server/subjects/modifications/modifications';
import { restauration } from '#server/subjects/sauvegardes';
import * as series from '#server/subjects/series';
import * as revuesSouhaitees from '#server/subjects/souhaits/revues';
import * as souhaits from '#server/subjects/souhaits/souhaits';

// The thread of one long write, started by `writes/writes.ts`.

const longOperations: readonly AnyLongOperation[] = [
  importations.importation,
  importations.execution,
  importations.annulation,
  restauration,
  modifications.annulation,
  souhaits.ordre,
  revuesSouhaitees.ordre,
  series.ordre,
  livres.ordre,
  emplacements.ordre,
  emplacements.ordreDedans,
];

async function run(job: Job, port: MessagePort): Promise<JobResult> {
  const { method, path, call, reply, place, ...write } = job;
  const operation = longOperations.find(
    ({ endpoint }) => endpoint.method === method && endpoint.path === path,
  );
  if (operation === undefined) throw new Error(`${method} ${path} is no long operation`);
  const database = Database.openBeside(place);
  try {
    const records = new Records(database, kinds);
    const prepared = await operation.prepare?.(records, call);
    const turn = once(port, 'message');
    port.postMessage({ ready: true } satisfies JobResult);
    // The write lock is handed over by then. The service's own connection may write until it is.
    await turn;
    const writes = new Writes(records, new Journal(database), withAct);
    const written = await database.writeLock.whenFree(() =>
      writes.perform({
        ...write,
        endpoint: operation.endpoint,
        run: (inWrite) => operation.run(inWrite, call, prepared),
        readReply: () => reply,
      }),
    );
    // Serialised here: an answer about a thousand books would block everybody.
    return { written: { ...written, answer: null, body: written.body ?? bodyOf(written.answer) } };
  } finally {
    database.close();
  }
}

async function resultOf(job: Job, port: MessagePort): Promise<JobResult> {
  try {
    return await run(job, port);
  } catch (error) {
    if (isRefusal(error)) return { refusal: error.parts };
    if (!(error instanceof Error)) return { error: { message: String(error) } };
    const code: unknown = Reflect.get(error, 'code');
    return { error: { message: error.message, stack: error.stack ?? '', code } };
  }
}

const port = parentPort;
port?.once('message', (job: Job) => {
  void resultOf(job, port).then((result) => port.postMessage(result));
});
