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
  /** Where its record is; in another one that id is another record's. `undefined` where it was not known. */
  readonly household: string | undefined;
  /** The addition of the record: undoing it undoes the picture too. */
  readonly undoGroup: UndoGroup | null;
  readonly message: string;
}

type CoverKey = Pick<UnsentCover, 'record' | 'household'>;

/** Whether the record of a picture is one of the household on the screen. */
export const isOfThisHousehold = ({ household }: CoverKey): boolean =>
  isOfHousehold(household, connection.household);

/** The pictures of new records that did not arrive: the records are there, their pictures wait here. */
class UnsentCovers {
  readonly #covers = perReader(() => new SvelteMap<string, UnsentCover>());

  get all(): readonly UnsentCover[] {
    return [...this.#covers().values()];
  }

  /**
   * Adds a record, then sends its picture: one act, and the record does not wait for the picture. `givenUp` gives the
   * picture up while it is not sent.
   *
   * @throws where the record is not added; a picture that is not taken is kept and shown
   */
  async add<T>(
    add: (batch: Batch) => Promise<T>,
    image: Blob | null,
    ownerOf: (added: T) => CoverOwner,
    givenUp: AbortSignal,
  ): Promise<{ added: T; undoGroup: UndoGroup | null }> {
    const household = link.household();
    const work = async (batch: Batch) => ({ added: await add(batch), batch });
    // What was made on the way to the record, such as its location, is not the news.
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
