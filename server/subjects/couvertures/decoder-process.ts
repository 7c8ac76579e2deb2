import { existsSync, writeFileSync } from 'node:fs';
import type { Job, Outcome } from './decoder.ts';
import { makers } from './decoding.ts';
import { DotPicture } from './image.ts';

// The process that decodes pictures for `decoder.ts`: one job a message, one answer each.

/** How often the memory is looked at, in milliseconds: a decoder takes some 20 MB meanwhile. */
const LOOK_MS = 10;
/** Linux ends the process of the highest score first where memory runs out. */
const OOM_SCORE = '/proc/self/oom_score_adj';

const maxBytes = Number(process.argv[2]);

/** Libraries have no bound of their own on memory, and V8 reserves more than `ulimit -v` could allow. */
const endWhereTooLarge = (): void => {
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL');
};

async function answer({ work, content }: Job): Promise<Outcome> {
  const watch = setInterval(endWhereTooLarge, LOOK_MS);
  try {
    return { made: await makers[work](content) };
  } catch (error) {
    return { problem: error instanceof DotPicture ? 'dot' : 'unreadable', message: String(error) };
  } finally {
    clearInterval(watch);
  }
}

if (existsSync(OOM_SCORE)) writeFileSync(OOM_SCORE, '1000');
// Signals of a terminal or of systemd reach all processes of the service, which ends this one itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (job: Job) => void answer(job).then((outcome) => process.send?.(outcome)));
