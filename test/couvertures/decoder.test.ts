// @module-tag process
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { decode, Decoder } from '#server/subjects/couvertures/decoder';
import { DeadlyPicture, DotPicture, UnreadablePicture } from '#server/subjects/couvertures/image';
import { childProcesses, tellsChildren } from '../support/child-processes.ts';
import { eventually } from '../support/eventually.ts';
import { picture } from './support/pictures.ts';

const dot = () => picture('#ff0000', { width: 4, height: 4, format: 'gif' });

test('an invalid picture does not stop the next ones', async () => {
  const decoder = new Decoder();
  const [red, blue] = [
    await picture('#ff0000', { width: 20 }),
    await picture('#0000ff', { width: 30 }),
  ];
  const [first, text, none, last, thumbnails] = await Promise.allSettled([
    decoder.make('fromSource', red),
    decoder.make('fromSource', Buffer.from('Ceci n’est pas une image.')),
    decoder.make('fromSource', await dot()),
    decoder.make('fromPerson', blue),
    decoder.make('thumbnails', red),
  ]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { largeur: 20, content: red } });
  expect(text).toMatchObject({
    status: 'rejected',
    reason: expect.any(UnreadablePicture) as Error,
  });
  expect(text).toMatchObject({ reason: { message: 'Error: Not a picture' } });
  expect(none).toMatchObject({ status: 'rejected', reason: expect.any(DotPicture) as Error });
  expect(last).toMatchObject({ status: 'fulfilled', value: { largeur: 30, type: 'image/jpeg' } });
  expect(thumbnails.status === 'fulfilled' && Object.keys(thumbnails.value)).toEqual([
    'ligne',
    'page',
  ]);
});

test('a picture that ends its process twice is given up', async () => {
  // Less time than a process takes to start.
  const decoder = new Decoder({ bytes: 512_000_000, ms: 1 });
  const content = await picture('#ff0000');
  for (let times = 0; times < 2; times++)
    await expect(decoder.make('fromSource', content)).rejects.toThrow(DeadlyPicture);
});

test('a person’s wrong picture is refused in the service’s words', async () => {
  const decoded = await decode('fromSource', await picture('#ff0000'));
  expect(await decode('thumbnails', decoded.content)).toEqual({
    ligne: decoded.ligne,
    page: decoded.page,
  });
  expect(await decode('fromPerson', decoded.content)).toMatchObject({ type: 'image/jpeg' });
  await expect(decode('fromSource', await dot())).rejects.toThrow('A dot');
  await expect(decode('fromPerson', await dot())).rejects.toMatchObject({
    code: 'IMAGE_INVALIDE',
    cause: expect.any(DotPicture) as Error,
  });
});

/** The timeout of one picture, and the lifetime of an idle process. */
const [MS, REST_MS] = [30_000, 10_000];

describe.runIf(tellsChildren)('the process that decodes', () => {
  let content: Buffer;
  let before: ReadonlySet<number>;
  beforeAll(async () => {
    content = await picture('#ff0000');
  });
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    before = new Set(childProcesses());
  });

  const running = () => childProcesses().filter((pid) => !before.has(pid));

  /** Kills the decoding process, or the one that replaces `after`, before it can answer. */
  async function endNext(after?: number): Promise<number> {
    for (let turns = 0; turns < 100_000; turns++) {
      const pid = running().find((each) => each !== after);
      if (pid === undefined) await setImmediate();
      else {
        process.kill(pid, 'SIGKILL');
        return pid;
      }
    }
    throw new Error('No process was begun');
  }

  test('ends when no picture has come for ten seconds', async () => {
    const decoder = new Decoder();
    const make = async () => {
      await decoder.make('thumbnails', content);
      return running();
    };
    const first = await make();
    expect(first).toHaveLength(1);
    for (let passed = 0; passed <= MS; passed += REST_MS - 1) {
      vi.advanceTimersByTime(REST_MS - 1);
      expect(await make()).toEqual(first);
    }
    vi.advanceTimersByTime(REST_MS);
    const next = (await make()).filter((pid) => pid !== first[0]);
    expect(next).toHaveLength(1);
    // The end of one process does not affect the other.
    await eventually(running).toEqual(next);
    expect(await make()).toEqual(next);
    vi.advanceTimersByTime(REST_MS);
    await eventually(running).toEqual([]);
  });

  test('outlives a terminal’s signals but not a lack of memory', async () => {
    const decoder = new Decoder();
    await decoder.make('thumbnails', content);
    const [pid = 0] = running();
    for (const signal of ['SIGINT', 'SIGTERM']) process.kill(pid, signal);
    await decoder.make('thumbnails', content);
    expect(running()).toEqual([pid]);
    expect(readFileSync(`/proc/${String(pid)}/oom_score_adj`, 'utf8')).toBe('1000\n');
  });

  test('is begun once more for a picture that ended it', async () => {
    const decoder = new Decoder();
    const decoding = decoder.make('thumbnails', content);
    const first = await endNext();
    expect(Object.keys(await decoding)).toEqual(['ligne', 'page']);
    const [second] = running();
    expect(second).not.toBe(first);
    const refused = expect(decoder.make('thumbnails', content)).rejects.toThrow(DeadlyPicture);
    await endNext(await endNext());
    await refused;
    // The timeout finds nothing to kill.
    vi.advanceTimersByTime(MS);
    expect(running()).toEqual([]);
  });

  test('is killed after thirty seconds without an answer', async () => {
    const decoding = new Decoder().make('thumbnails', content);
    await setImmediate();
    const [first] = running();
    vi.advanceTimersByTime(MS);
    await decoding;
    const left = running();
    expect(left).toHaveLength(1);
    expect(left).not.toContain(first);
    vi.advanceTimersByTime(REST_MS);
    await eventually(running).toEqual([]);
  });
});
