import { once } from 'node:events';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { BASE_LOCALE, isLocale, type Locale } from '#shared/locale';
import { Database } from '#server/plumbing/database/database';
import { isRefusal } from '#server/plumbing/common/error-body';
import { kinds } from '#server/start/kinds';
import { inLocale } from '#server/plumbing/http/language';
import { Journal } from '#server/plumbing/records/journal';
import { Records } from '#server/plumbing/records/records';
import { Writes } from '#server/plumbing/writes/writes';
import { operationNamed } from '#server/plumbing/writes/operations';
import type { Job, JobResult } from '#server/plumbing/writes/thread';
import { beginModification } from '#server/subjects/modifications/changesets';
// Modules that declare long operations besides the kinds of record.
import '#server/subjects/complements';
import '#server/subjects/importations/importations';
import '#server/subjects/lots';
import '#server/subjects/modifications/modifications';
import '#server/subjects/sauvegardes';
import '#server/subjects/souhaits/lot';

// The thread of one long write, started by `writes/thread.ts`.

async function run(job: Job, port: MessagePort): Promise<JobResult> {
  const { name, options, ...write } = job;
  const operation = operationNamed(name);
  const database = Database.openBeside(options);
  try {
    const records = new Records(database, kinds);
    // The service's connection writes until it hands the write lock over, and answers this message once it has.
    const say = async (result: JobResult): Promise<void> => {
      const turn = once(port, 'message');
      port.postMessage(result);
      await turn;
    };
    const ahead = await operation.readAhead?.(database, job.call, async (work) => {
      await say({ turn: 'asked' });
      const done = await database.writeLock.whenFree(() => database.write(work));
      port.postMessage({ turn: 'over' } satisfies JobResult);
      return done;
    });
    await say({ ready: true });
    const writes = new Writes(records, new Journal(database), beginModification);
    const written = await database.writeLock.whenFree(() =>
      writes.perform({ ...write, operation }, ahead, true),
    );
    // A response about a thousand books is passed as JSON, which would block the main thread to
    // serialize.
    return { written: { ...written, answer: null } };
  } finally {
    database.close();
  }
}

async function resultOf(job: Job, port: MessagePort): Promise<JobResult> {
  try {
    return await inLocale(localeIn(job.call), () => run(job, port));
  } catch (error) {
    if (isRefusal(error)) return { refusal: error.parts };
    if (!(error instanceof Error)) return { error: { message: String(error) } };
    const code: unknown = Reflect.get(error, 'code');
    return { error: { message: error.message, stack: error.stack ?? '', code } };
  }
}

const localeIn = (call: object): Locale =>
  'locale' in call && isLocale(call.locale) ? call.locale : BASE_LOCALE;

const port = parentPort;
port?.once('message', (job: Job) => {
  void resultOf(job, port).then((result) => port.postMessage(result));
});
