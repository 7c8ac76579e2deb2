import { ApiError, messageOf } from './call.ts';
import { link } from './link.ts';
import { m } from '#messages';

/** How long a notice is shown, in milliseconds, not counting the time that it is held. */
export const VISIBLE_MS = 10_000;

export interface Notice {
  readonly text: string;
  readonly href?: string;
  /** True for a notice without « Annuler », such as that of an undo. */
  readonly isFinal?: true;
  /** Undoes the write by itself, instead of by its modification. */
  readonly undo?: (batch: Batch) => Promise<unknown>;
  /** True where the undo needs no server. */
  readonly isLocal?: true;
}

export class UndoGroup {
  readonly text: string;
  readonly href: string | null;
  /** The modifications still in force, oldest first. */
  modificationIds = $state.raw<readonly number[]>([]);
  /** The notice's own undo, while it is possible. */
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

  /** Adds later writes that are undone together. */
  extend(batch: Batch): void {
    this.modificationIds = [...this.modificationIds, ...(batch.end()?.modificationIds ?? [])];
  }

  get canUndo(): boolean {
    return this.undo !== undefined || this.modificationIds.length > 0;
  }
}

/** Several writes that are undone together: each notifies the batch instead of the bar. */
export class Batch {
  readonly #writes: { readonly notice: Notice; readonly ids: readonly number[] }[] = [];
  /** The undo group shown once the batch has ended; `null` before, and without any write. */
  undoGroup: UndoGroup | null = null;

  notify(notice: Notice, modificationId: number | null): void {
    this.#writes.push({ notice, ids: idsOf(notice, modificationId) });
  }

  /** Ends the batch with its own notice, else its first write's. */
  end(own?: Notice): UndoGroup | null {
    const notice = own ?? this.#writes[0]?.notice;
    const ids = this.#writes.flatMap((one) => one.ids);
    return (this.undoGroup = notice === undefined ? null : new UndoGroup(notice, ids));
  }

  get last(): Notice | undefined {
    return this.#writes.at(-1)?.notice;
  }
}

/** How many writes of a batch run at a time: each has its own timeout. */
const MAX_AT_ONCE = 4;

/**
 * Runs independent writes of a batch in parallel. All are finished before the first failure is thrown, so that
 * successful ones can be undone.
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
 * Runs dependent writes of a batch in sequence: each is sent after the previous response, without waiting for the
 * screen. A failure ends the sequence; it is thrown once the successful writes are shown.
 *
 * @param send calls `answered` with the response, like `onAnswer` of `write`
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

/** The bar that announces the last write and undoes it (docs/rules.md § 46); the next undo group replaces it. */
class Feedback {
  undoGroup = $state.raw<UndoGroup | null>(null);
  /** Why the shown undo group was not undone, as a sentence. */
  error = $state<string | null>(null);
  isUndoing = $state(false);
  /** The bar is in the flow of a screen, above its form. */
  isInPlace = $state(false);
  /** A notice shown in the flow stays: otherwise the form would move under a finger. */
  #outlastsItsTime = false;
  #hasExpired = false;
  readonly #holds = new Set<Hold>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #remainingMs = 0;
  #startedAt = 0;

  /** Shows a notice; `modificationId` is `null` if it cannot be undone. */
  notify(notice: Notice, modificationId: number | null = null): void {
    this.#show(new UndoGroup(notice, idsOf(notice, modificationId)));
  }

  /**
   * Runs several writes with one notice and one undo, including those before a failed one.
   *
   * @param sentence for all; by default the first write's
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

  /** Runs writes that the screen announces and undoes by itself. */
  async withoutBar<T>(work: (batch: Batch) => Promise<T>): Promise<T> {
    const batch = new Batch();
    const answer = await work(batch);
    batch.end();
    this.giveWay();
    return answer;
  }

  /** Undoes the shown undo group, the last modification first. */
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
        // The sentence of one modification would not describe several.
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

  /** Shows an error that has no place of its own on the screen. */
  fail(text: string): void {
    this.#show(new UndoGroup({ text: '' }, []));
    this.error = text;
  }

  /** Shows notices in the flow of a screen, without a time limit, until the returned function is called. */
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

  /** Pauses the timer until `release`. */
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

  /** A refusal is final; after any other failure the undo can be retried. */
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
