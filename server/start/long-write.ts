import { parentPort } from 'node:worker_threads';
import { Database } from '#server/plumbing/database/database';
import { isRefusal } from '#server/plumbing/common/error-body';
import { kinds } from '#server/start/kinds';
import { Journal } from '#server/plumbing/records/journal';
import { Records } from '#server/plumbing/records/records';
import type { Job, JobResult } from '#server/plumbing/writes/long-writes';
import { bodyOf, performWrite } from '#server/plumbing/writes/perform';
import { Writes } from '#server/plumbing/writes/writes';
import { longOperations } from './long-operations.ts';

// The thread of one long write, for `writes/long-writes.ts`: one job, one result.

function run(job: Job): JobResult {
  const { method, path, call, sent, place, ...write } = job;
  const operation = longOperations.find(
    ({ endpoint }) => endpoint.method === method && endpoint.path === path,
  );
  if (operation === undefined) throw new Error(`${method} ${path} is no long operation`);
  const database = Database.openBeside(place);
  try {
    const writes = new Writes(new Records(database, kinds), new Journal(database));
    const written = performWrite(writes, {
      ...write,
      endpoint: operation.endpoint,
      run: (records) => operation.run(records, call),
      sent: () => sent,
    });
    // Made into text here: the answer of a thousand books would hold everyone up.
    return { written: { ...written, answer: null, body: written.body ?? bodyOf(written.answer) } };
  } finally {
    database.close();
  }
}

function resultOf(job: Job): JobResult {
  try {
    return run(job);
  } catch (error) {
    if (isRefusal(error)) return { refusal: error.parts };
    if (!(error instanceof Error)) return { error: { message: String(error) } };
    const code: unknown = Reflect.get(error, 'code');
    return { error: { message: error.message, stack: error.stack ?? '', code } };
  }
}

parentPort?.once('message', (job: Job) => parentPort?.postMessage(resultOf(job)));
