import { ApiError, messageOf } from './call.ts';
import { link } from './link.ts';
import { m } from '#messages';

/** How long what was done is shown, in milliseconds, the time that it is held not counted. */
export const VISIBLE_MS = 10_000;

export interface Notice {
  readonly text: string;
  readonly href?: string;
  /** True where « Annuler » is not offered: what was done is an undoing itself. */
  readonly isFinal?: true;
  /** Undoes it in place of its modification, for what has an undo of its own. */
  readonly undo?: (batch: Batch) => Promise<unknown>;
  /** True where the undo needs no server. */
  readonly isLocal?: true;
}

export class UndoGroup {
  readonly text: string;
  readonly href: string | null;
  /** Those still in force, oldest first. */
  modificationIds = $state.raw<readonly number[]>([]);
  /** Its own undo, while it can be undone by that. */
  undo = $state.raw<Notice['undo']>();
  readonly isLocal: boolean;
  readonly isFinal: boolean;
  isUndone = $state(false);

  constructor({ text, href, undo, isLocal, isFinal }: Notice, ids: number[]) {
    this.isLocal = isLocal ?? false;
    this.isFinal = isFinal ?? false;
    this.text = text;
    this.href = href ?? null;
    this.undo = undo;
    this.modificationIds = ids;
  }

  /** Takes in what was written later and is undone with it. */
  extend(batch: Batch): void {
    this.modificationIds = [...this.modificationIds, ...(batch.end()?.modificationIds ?? [])];
  }

  get canUndo(): boolean {
    return this.undo !== undefined || this.modificationIds.length > 0;
  }
}

/** Several writes that are one act for the person: each notifies the batch in place of the bar. */
export class Batch {
  readonly #writes: { readonly notice: Notice; readonly ids: readonly number[] }[] = [];
  /** The act that is shown once the batch is done; `null` before, and where nothing was written. */
  undoGroup: UndoGroup | null = null;

  notify(notice: Notice, modificationId: number | null): void {
    this.#writes.push({ notice, ids: idsOf(notice, modificationId) });
  }

  /** Ends the batch under its own sentence, else its first write's. */
  end(own?: Notice): UndoGroup | null {
    const notice = own ?? this.#writes[0]?.notice;
    const ids = this.#writes.flatMap((one) => one.ids);
    return (this.undoGroup = notice === undefined ? null : new UndoGroup(notice, ids));
  }

  get last(): Notice | undefined {
    return this.#writes.at(-1)?.notice;
  }
}

/** How many writes of one batch are under way at once: each has its own time to be answered in. */
const MAX_AT_ONCE = 4;

/**
 * Does writes of one batch that need not wait for each other, so that none is sent only once the screen shows the one
 * before. All are done before the first failure is thrown: what was written can be undone.
 */
export async function sideBySide<T>(
  items: readonly T[],
  send: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const item of waiting) await send(item).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  if (failures.length > 0) throw failures[0];
}

/**
 * Does writes of one batch of which each builds on the one before: none is sent before that one is answered, and none
 * waits until the screen shows it. After a failure no more are sent; it is thrown once what was written is shown.
 *
 * @param send calls `answered` with the answer, as `onAnswer` of `write`
 */
export async function inOrder<T, R>(
  items: readonly T[],
  send: (item: T, answered: () => void) => Promise<R>,
): Promise<readonly R[]> {
  const sent: Promise<R>[] = [];
  try {
    for (const item of items) {
      const { promise: answer, resolve: answered } = Promise.withResolvers<undefined>();
      const one = send(item, () => answered(undefined));
      sent.push(one);
      await Promise.race([answer, one]);
    }
  } finally {
    await Promise.allSettled(sent);
  }
  return Promise.all(sent);
}

const idsOf = ({ isFinal, undo }: Notice, modificationId: number | null): number[] =>
  modificationId === null || isFinal || undo ? [] : [modificationId];

/** Undoes a modification, as `annulerModification` does. */
export type UndoOperation = (
  modificationId: number,
  options: { readonly batch: Batch; readonly onAnswer: () => void },
) => Promise<unknown>;

type Hold = 'focus' | 'pointer' | 'undoing';

/** The one bar that says what was just done and undoes it (docs/rules.md § 46); the next act replaces its act. */
class Feedback {
  undoGroup = $state.raw<UndoGroup | null>(null);
  /** Why the act shown was not undone, in a sentence. */
  error = $state<string | null>(null);
  isUndoing = $state(false);
  /** The bar stands in the flow of a screen, above its form. */
  isInPlace = $state(false);
  /** The act shown came while it stood there, and stays: the form would move up under a finger. */
  #outlastsItsTime = false;
  #hasExpired = false;
  readonly #holds = new Set<Hold>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #remainingMs = 0;
  #startedAt = 0;

  /** Shows what was done; `modificationId` is `null` where it cannot be undone. */
  notify(notice: Notice, modificationId: number | null = null): void {
    this.#show(new UndoGroup(notice, idsOf(notice, modificationId)));
  }

  /**
   * Does several writes that are shown once and undone together, also those before a write that fails.
   *
   * @param sentence of all; without it the first write's
   */
  async batch<T>(
    work: (batch: Batch) => Promise<T>,
    sentence?: (answer: T) => Notice | undefined,
  ): Promise<T> {
    const whose = link.identity();
    const batch = new Batch();
    let notice: Notice | undefined;
    try {
      const answer = await work(batch);
      notice = sentence?.(answer);
      return answer;
    } finally {
      const undoGroup = batch.end(notice);
      if (undoGroup !== null && whose === link.identity()) this.#show(undoGroup);
    }
  }

  /** Does writes that the screen announces by itself, each with its own undo there. */
  async withoutBar<T>(work: (batch: Batch) => Promise<T>): Promise<T> {
    const batch = new Batch();
    const answer = await work(batch);
    batch.end();
    this.giveWay();
    return answer;
  }

  /** Undoes the act that is shown, the last of its modifications first. */
  async undo(annuler: UndoOperation): Promise<void> {
    const { undoGroup } = this;
    if (undoGroup === null || this.isUndoing) return;
    this.isUndoing = true;
    this.hold('undoing');
    const isOne = undoGroup.modificationIds.length <= 1;
    try {
      await this.batch(
        async (batch) => {
          await undoGroup.undo?.(batch);
          undoGroup.undo = undefined;
          await inOrder(undoGroup.modificationIds.toReversed(), (id, answered) =>
            annuler(id, {
              batch,
              onAnswer: () => {
                undoGroup.modificationIds = undoGroup.modificationIds.filter(
                  (other) => other !== id,
                );
                answered();
              },
            }),
          );
        },
        // The sentence of one act would stand for all of several.
        isOne ? undefined : () => ({ text: m.modification_undone(), isFinal: true }),
      );
      undoGroup.isUndone = true;
    } catch (error) {
      this.#fail(undoGroup, error);
      if (!(error instanceof ApiError)) throw error;
    } finally {
      this.isUndoing = false;
      this.release('undoing');
    }
  }

  /** Says why something was not done, where no place of its own is in sight. */
  fail(text: string): void {
    this.#show(new UndoGroup({ text: '' }, []));
    this.error = text;
  }

  /** Has what comes stand in the flow of a screen, beyond its time, until the returned function is called. */
  takeSlot(): () => void {
    this.isInPlace = true;
    return () => {
      this.isInPlace = false;
      this.#outlastsItsTime = false;
      this.giveWay();
    };
  }

  giveWay(): void {
    if (this.#hasExpired) this.close();
  }

  /** Time stands still until `release`. */
  hold(hold: Hold): void {
    if (this.#holds.size === 0) this.#pause();
    this.#holds.add(hold);
  }

  release(hold: Hold): void {
    if (this.#holds.delete(hold) && this.#holds.size === 0) this.#resume();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#hasExpired = false;
    this.undoGroup = null;
    this.error = null;
  }

  /** A refusal is final; where nothing was decided the act can be tried again. */
  #fail(undoGroup: UndoGroup, error: unknown): void {
    if (error instanceof ApiError && error.kind === 'refusal') {
      undoGroup.modificationIds = [];
      undoGroup.undo = undefined;
    }
    if (this.undoGroup !== undoGroup) this.#show(undoGroup);
    this.error = messageOf(error);
    this.#remainingMs = VISIBLE_MS;
  }

  #show(undoGroup: UndoGroup): void {
    clearTimeout(this.#timer);
    this.undoGroup = undoGroup;
    this.error = null;
    this.#outlastsItsTime = this.isInPlace;
    this.#hasExpired = false;
    this.#remainingMs = VISIBLE_MS;
    if (this.#holds.size === 0) this.#resume();
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#remainingMs -= performance.now() - this.#startedAt;
  }

  #resume(): void {
    if (this.undoGroup === null) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#expire(), Math.max(0, this.#remainingMs));
  }

  #expire(): void {
    if (this.#outlastsItsTime) this.#hasExpired = true;
    else this.close();
  }
}

export const feedback = new Feedback();
