import { existsSync, writeFileSync } from 'node:fs';
import type { Job, DecodingOutcome } from './decoder.ts';
import { makers } from './decoding.ts';
import { DotPicture } from './image.ts';

// The process that decodes pictures for `decoder.ts`: each message is one job with one response.

/** The memory is checked so often: a decoder takes some 20 MB in this time. */
const LOOK_MS = 10;
/** When memory runs out, Linux first kills the process with the highest score. */
const OOM_SCORE = '/proc/self/oom_score_adj';

const maxBytes = Number(process.argv[2]);

/** The libraries have no bound on memory, and V8 reserves more than `ulimit -v` could allow. */
const endWhereTooLarge = (): void => {
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL');
};

async function answer({ work, content }: Job): Promise<DecodingOutcome> {
  const watch = setInterval(endWhereTooLarge, LOOK_MS);
  try {
    return { result: await makers[work](content) };
  } catch (error) {
    return { problem: error instanceof DotPicture ? 'dot' : 'unreadable', message: String(error) };
  } finally {
    clearInterval(watch);
  }
}

if (existsSync(OOM_SCORE)) writeFileSync(OOM_SCORE, '1000');
// Signals of a terminal or of systemd reach all processes of the service; the service itself ends
// this one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (job: Job) => void answer(job).then((outcome) => process.send?.(outcome)));
