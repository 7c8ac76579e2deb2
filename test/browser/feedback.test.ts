import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../src/lib/api/call.ts';
import {
  feedback,
  inOrder,
  sideBySide,
  VISIBLE_MS,
  type UndoOperation,
  type Batch,
} from '$lib/api/feedback.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const hold of ['focus', 'pointer', 'undoing'] as const) feedback.release(hold);
  feedback.close();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const message = (text: string) => ({ text });
const shown = () => feedback.undoGroup?.text ?? null;

/** Records the undone modifications; those in `refused` are refused. */
function undoer(refused: readonly number[] = [], kind: 'refusal' | 'offline' = 'refusal') {
  const undone: number[] = [];
  const annuler: UndoOperation = (id, { batch, onAnswer }) => {
    if (refused.includes(id)) return Promise.reject(new ApiError(kind, `Pas ${String(id)}.`));
    undone.push(id);
    onAnswer();
    batch.notify({ text: 'Annulé.', isFinal: true }, 100 + id);
    return Promise.resolve();
  };
  return { undone, annuler };
}

test('an act is shown for ten seconds', async () => {
  feedback.notify(message('Dune est ajouté.'), 1);
  await pass(VISIBLE_MS - 1);
  expect(shown()).toBe('Dune est ajouté.');
  await pass(1);
  expect(shown()).toBeNull();
});

test('the next act has ten seconds of its own', async () => {
  feedback.notify(message('Un'), 1);
  await pass(6_000);
  feedback.notify(message('Deux'), 2);
  await pass(VISIBLE_MS - 1);
  expect(shown()).toBe('Deux');
  expect(feedback.undoGroup?.modificationIds).toEqual([2]);
  await pass(1);
  expect(shown()).toBeNull();
});

test('a clock that is set back keeps no act shown', async () => {
  feedback.notify(message('Un'), 1);
  await pass(6_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  feedback.hold('pointer');
  feedback.release('pointer');
  await pass(4_000);
  expect(shown()).toBeNull();
});

test('the timeout pauses under the pointer or the focus', async () => {
  feedback.notify(message('Un'), 1);
  await pass(6_000);
  feedback.hold('pointer');
  await pass(60_000);
  feedback.hold('focus');
  feedback.release('pointer');
  await pass(60_000);
  expect(shown()).toBe('Un');
  feedback.release('focus');
  await pass(3_999);
  expect(shown()).toBe('Un');
  await pass(1);
  expect(shown()).toBeNull();
});

test('a confirmation that arrives during the pause waits too', async () => {
  feedback.notify(message('Un'), 1);
  feedback.hold('pointer');
  feedback.notify(message('Deux'), 2);
  await pass(60_000);
  expect(shown()).toBe('Deux');
  feedback.release('pointer');
  await pass(VISIBLE_MS);
  expect(shown()).toBeNull();
});

test('in a screen’s flow it stays until the next act', async () => {
  feedback.notify(message('Avant'), 1);
  const leave = feedback.takeSlot();
  await pass(VISIBLE_MS);
  expect(shown()).toBeNull();
  feedback.notify(message('Un'), 2);
  await pass(60_000);
  expect(shown()).toBe('Un');
  expect(feedback.undoGroup?.canUndo).toBe(true);
  feedback.notify(message('Deux'), 3);
  await pass(1_000);
  feedback.giveWay();
  expect(shown()).toBe('Deux');
  await pass(60_000);
  feedback.giveWay();
  expect(shown()).toBeNull();
  feedback.notify(message('Trois'), 4);
  await pass(1_000);
  leave();
  expect(shown()).toBe('Trois');
  await pass(VISIBLE_MS - 1_000);
  expect(shown()).toBeNull();
});

test('the bar does not repeat what a screen announces by itself', async () => {
  const leave = feedback.takeSlot();
  feedback.notify(message('Un'), 1);
  await pass(60_000);
  const work = (batch: Batch) => {
    batch.notify(message('Deux'), 2);
    return Promise.resolve(batch);
  };
  const batch = await feedback.withoutBar(work);
  expect(shown()).toBeNull();
  expect(batch.undoGroup?.modificationIds).toEqual([2]);
  expect(batch.last?.text).toBe('Deux');
  leave();
});

test('a write that changed nothing is announced, and cannot be undone', () => {
  feedback.notify(message('Dune est enregistré.'), null);
  expect(feedback.undoGroup?.modificationIds).toEqual([]);
});

test('several writes of one act are undone last first', async () => {
  const answer = await feedback.batch((batch) => {
    batch.notify(message('Un'), 1);
    batch.notify(message('Deux'), 2);
    return Promise.resolve(2);
  });
  expect(answer).toBe(2);
  expect(shown()).toBe('Un');
  const act = feedback.undoGroup;
  const { undone, annuler } = undoer();
  await feedback.undo(annuler);
  expect(undone).toEqual([2, 1]);
  expect(act?.isUndone).toBe(true);
  expect(shown()).toBe('Annulé.');
  expect(feedback.undoGroup?.modificationIds).toEqual([]);
});

test('a group of writes has its own sentence', async () => {
  const batch = await feedback.batch(
    (writes) => {
      writes.notify(message('Un'), 1);
      writes.notify(message('Deux'), 2);
      expect(shown()).toBeNull();
      return Promise.resolve(writes);
    },
    () => message('Les deux'),
  );
  expect(shown()).toBe('Les deux');
  expect(feedback.undoGroup?.modificationIds).toEqual([1, 2]);
  expect(feedback.undoGroup).toBe(batch.undoGroup);
});

test('a write outside the undo group is no part of it', async () => {
  const gates = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()] as const;
  const together = (name: string, first: number, gate: Promise<undefined>) =>
    feedback.batch(async (batch) => {
      batch.notify(message(name), first);
      await gate;
      batch.notify(message(`${name} encore`), first + 1);
    });
  const one = together('Un', 1, gates[0].promise);
  const two = together('Deux', 11, gates[1].promise);
  feedback.notify(message('Sans rapport'), 20);
  expect(shown()).toBe('Sans rapport');
  expect(feedback.undoGroup?.modificationIds).toEqual([20]);
  gates[0].resolve(undefined);
  await one;
  expect(shown()).toBe('Un');
  expect(feedback.undoGroup?.modificationIds).toEqual([1, 2]);
  feedback.notify(message('Sans rapport'), 21);
  gates[1].resolve(undefined);
  await two;
  expect(shown()).toBe('Deux');
  const { undone, annuler } = undoer();
  const undoing = feedback.undo(annuler);
  feedback.notify(message('Sans rapport'), 22);
  await undoing;
  expect(undone).toEqual([12, 11]);
});

test('the writes before a failed one can be undone', async () => {
  const failing = feedback.batch((batch) => {
    batch.notify(message('Un'), 1);
    return Promise.reject(new Error('Deux'));
  });
  await expect(failing).rejects.toThrow('Deux');
  expect(shown()).toBe('Un');
  expect(feedback.undoGroup?.modificationIds).toEqual([1]);
});

test('a refused undo says why and cannot be tried again', async () => {
  await feedback.batch((batch) => {
    batch.notify(message('Un'), 1);
    batch.notify(message('Deux'), 2);
    return Promise.resolve();
  });
  const act = feedback.undoGroup;
  await feedback.undo(undoer([1]).annuler);
  expect(feedback.error).toBe('Pas 1.');
  expect(feedback.undoGroup).toBe(act);
  expect(act?.isUndone).toBe(false);
  expect(act?.modificationIds).toEqual([]);
  await pass(VISIBLE_MS);
  expect(shown()).toBeNull();
  expect(feedback.error).toBeNull();
});

test('an undo without a decision can be tried again', async () => {
  feedback.notify(message('Un'), 1);
  await feedback.undo(undoer([1], 'offline').annuler);
  expect(feedback.error).toBe('Pas 1.');
  const { undone, annuler } = undoer();
  await feedback.undo(annuler);
  expect(undone).toEqual([1]);
  expect(feedback.error).toBeNull();
});

test('a second press while it is being undone does nothing', async () => {
  feedback.notify(message('Un'), 1);
  const { undone, annuler } = undoer();
  await Promise.all([feedback.undo(annuler), feedback.undo(annuler)]);
  expect(undone).toEqual([1]);
});

test('why something was not done is shown too', async () => {
  feedback.fail('La liste a changé.');
  expect(feedback.error).toBe('La liste a changé.');
  expect(feedback.undoGroup?.modificationIds).toEqual([]);
  await pass(VISIBLE_MS);
  expect(feedback.undoGroup).toBeNull();
});

test('writes in order wait for the answer before, and not until it is shown', async () => {
  const sent: number[] = [];
  const shownAt = [1, 2, 3].map(() => Promise.withResolvers<undefined>());
  const done = inOrder([0, 1, 2], async (index, answered) => {
    sent.push(index);
    answered();
    await shownAt[index]?.promise;
    return index;
  });
  await pass(0);
  expect(sent).toEqual([0, 1, 2]);
  for (const { resolve } of shownAt.toReversed()) resolve(undefined);
  expect(await done).toEqual([0, 1, 2]);
});

test('no write in order is sent after a failure', async () => {
  const sent: number[] = [];
  const done = inOrder([0, 1, 2], (index, answered) => {
    sent.push(index);
    if (index === 1) return Promise.reject(new Error('no'));
    answered();
    return Promise.resolve();
  });
  await expect(done).rejects.toThrow('no');
  expect(sent).toEqual([0, 1]);
});

test('four writes side by side are under way at once, and all are done', async () => {
  const ends: (() => void)[] = [];
  const done = sideBySide([...Array(9).keys()], async (index) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    ends.push(() => resolve(undefined));
    await promise;
    if (index === 2) throw new Error('no');
  });
  const failed = expect(done).rejects.toThrow('no');
  await pass(0);
  expect(ends).toHaveLength(4);
  for (let i = 0; i < 9; i++) {
    ends[i]?.();
    await pass(0);
  }
  await failed;
  expect(ends).toHaveLength(9);
});
