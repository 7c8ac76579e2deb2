import { SvelteMap } from 'svelte/reactivity';
import { ApiError, messageOf } from '../api/call.ts';
import { link } from '$lib/api/link';
import { Batch, feedback, type UndoGroup } from '$lib/api/feedback.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { perReader } from '$lib/sync/identity.svelte';
import { isOfHousehold } from '$lib/sync/other-household';
import { choisirCouverture, type ChosenRecord } from './operations.ts';
import { unawaited } from '$lib/sync/report';

interface CoverOwner {
  readonly record: ChosenRecord;
  readonly titre: string;
}

interface UnsentCover extends CoverOwner {
  readonly image: Blob;
  /** The record's household, since ids differ between households; `undefined` if unknown. */
  readonly household: string | undefined;
  /** The addition of the record: undoing it undoes the picture too. */
  readonly undoGroup: UndoGroup | null;
  readonly message: string;
}

type CoverKey = Pick<UnsentCover, 'record' | 'household'>;

/** Whether a picture's record belongs to the shown household. */
export const isOfThisHousehold = ({ household }: CoverKey): boolean =>
  isOfHousehold(household, connection.household);

/** Pictures of new records that could not be sent. */
class UnsentCovers {
  readonly #covers = perReader(() => new SvelteMap<string, UnsentCover>());

  get all(): readonly UnsentCover[] {
    return [...this.#covers().values()];
  }

  /**
   * Adds a record, then sends its picture: one undo group, without waiting for the picture. `givenUp` cancels the
   * picture while it is not sent.
   *
   * @throws if the record is not added; a rejected picture is kept and shown
   */
  async add<T>(
    add: (batch: Batch) => Promise<T>,
    image: Blob | null,
    ownerOf: (added: T) => CoverOwner,
    givenUp: AbortSignal,
  ): Promise<{ added: T; undoGroup: UndoGroup | null }> {
    const household = link.household();
    const work = async (batch: Batch) => ({ added: await add(batch), batch });
    // Intermediate writes, such as a new location, are not announced.
    const { added, batch } = await feedback.batch(work, ({ batch }) => batch.last);
    if (image !== null && !givenUp.aborted)
      unawaited(
        this.#send({ ...ownerOf(added), image, household, undoGroup: batch.undoGroup }),
        'sending a cover',
      );
    return { added, undoGroup: batch.undoGroup };
  }

  retry(cover: UnsentCover): void {
    this.drop(cover);
    unawaited(this.#send(cover), 'sending a cover');
  }

  drop(cover: CoverKey): void {
    this.#covers().delete(keyOf(cover));
  }

  async #send(cover: Omit<UnsentCover, 'message'>): Promise<void> {
    const { record, image, household, undoGroup } = cover;
    const covers = this.#covers();
    const batch = new Batch();
    try {
      await choisirCouverture(record, image, { batch, household });
      undoGroup?.extend(batch);
    } catch (error) {
      // The addition was undone meanwhile.
      if (undoGroup?.isUndone) return;
      covers.set(keyOf(cover), { ...cover, message: messageOf(error) });
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

const keyOf = ({ record: { kind, id }, household }: CoverKey): string =>
  [household, kind, id].join('/');

export const unsentCovers = new UnsentCovers();
