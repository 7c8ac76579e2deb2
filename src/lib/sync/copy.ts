import type { Change } from '#shared/replication';
import {
  CHECKPOINT,
  checkpointEnvelope,
  keyOf,
  type Envelope,
  type KeptCheckpoint,
} from './envelope.ts';
import { Failure } from './failure.ts';
import { changesIn, toEnvelopes } from './packs.ts';
import type { Storage } from './ports.ts';
import { report } from './report.ts';
import type { State } from './states.ts';
import { unsafeCast } from '../api/unsafe-cast.ts';

/** Takes changes that a copy holds, a portion at a time. */
export type Receive = (changes: readonly Change[]) => Promise<void>;

/** One copy of one reader's records, open: what it holds, and how far it has come. */
export class Copy {
  readonly name: string;
  /** True where it lasts as long as the page only. */
  readonly inMemory: boolean;
  /** How far it has come, `null` before its first page. */
  checkpoint: KeptCheckpoint | null = null;
  readonly #storage: Storage;
  /** True where other shapes than today's have made it. */
  readonly #isOfOtherShapes: boolean;
  #revisions = new Map<string, number>();
  /** How many changes were read, also those that a later one has taken the place of. */
  #changesRead = 0;
  /** What there was no room for; it goes with the next page, so that none is kept without it. */
  readonly #unsaved = new Map<string, Change>();
  #unsavedCheckpoint: KeptCheckpoint | null = null;

  constructor(name: string, storage: Storage, { stale = false, inMemory = false } = {}) {
    this.name = name;
    this.#storage = storage;
    this.#isOfOtherShapes = stale;
    this.inMemory = inMemory;
  }

  /** Why not all of it is on the device; `null` where it is. */
  get storage(): State['storage'] {
    if (this.inMemory) return 'storageBlocked';
    return this.#unsavedCheckpoint === null ? null : 'storageFull';
  }

  /** True where it is to be made anew: of other shapes, or most of it is of records changed since. */
  get stale(): boolean {
    return this.#isOfOtherShapes || this.#changesRead > 2 * this.#revisions.size;
  }

  /** Hands over all that it holds, and learns by it how far it has come. */
  async read(receive: Receive): Promise<void> {
    this.#changesRead = 0;
    // A page that was heard of and never written is not held: the server is asked for it again.
    this.#revisions = new Map();
    const take = async (envelopes: Iterable<Envelope>) => {
      const changes = [...envelopes].flatMap((envelope) => this.#take(envelope));
      if (changes.length > 0) await receive(changes);
    };
    await unlessUnreadable(this.#storage.read(take));
    await take(this.#unsavedEnvelopes());
  }

  #take(envelope: Envelope): Change[] {
    if (envelope.kind === CHECKPOINT)
      this.checkpoint = unsafeCast<KeptCheckpoint>(envelope.document);
    const changes = changesIn(envelope, this.#isOfOtherShapes);
    this.#changesRead += changes.length;
    return changes.filter(({ collection, id, revision }) => {
      const key = keyOf(collection, id);
      const held = this.#revisions.get(key);
      if (held !== undefined && held > revision) return false;
      this.#revisions.set(key, revision);
      return true;
    });
  }

  holds({ collection, id }: Pick<Change, 'collection' | 'id'>): boolean {
    return this.#revisions.has(keyOf(collection, id));
  }

  /** Those of a page's changes that it does not hold; it never goes back to an earlier one. */
  news(changes: readonly Change[]): Change[] {
    return changes.filter(({ collection, id, revision, document }) => {
      const held = this.#revisions.get(keyOf(collection, id));
      return held === undefined ? document !== null : held < revision;
    });
  }

  /**
   * Keeps a page and its checkpoint, both or neither. What there is no room for is kept in memory;
   * a storage that fails twice throws `unreadable`.
   */
  async apply(changes: readonly Change[], checkpoint: KeptCheckpoint): Promise<void> {
    const same = changes.length === 0 && this.#unsavedCheckpoint === null;
    if (same && isSame(this.checkpoint, checkpoint)) return;
    for (const change of changes) this.#unsaved.set(keyOf(change.collection, change.id), change);
    this.#unsavedCheckpoint = checkpoint;
    try {
      await this.#save().catch((error: unknown) => {
        if (error instanceof Failure) throw error;
        report(error, 'writing a page, first try');
        return this.#save();
      });
    } catch (error) {
      report(error, 'writing a page');
      if (!(error instanceof Failure && error.kind === 'storageFull'))
        throw new Failure('unreadable', error);
    }
    this.heard(changes, checkpoint);
  }

  /** Learns of a page that another tab has written. */
  heard(changes: readonly Change[], checkpoint: KeptCheckpoint): void {
    for (const { collection, id, revision } of changes)
      this.#revisions.set(keyOf(collection, id), revision);
    this.checkpoint = checkpoint;
  }

  /** Where another tab has written what this one has not heard of, reads it again. */
  async refresh(receive: Receive): Promise<void> {
    const kept = await unlessUnreadable(this.#storage.get(CHECKPOINT));
    if (kept === null && this.checkpoint !== null) throw new Failure('unreadable');
    if (kept !== null && !this.isAt(unsafeCast<KeptCheckpoint>(kept.document)))
      await this.read(receive);
  }

  /** Whether it has come exactly so far. */
  isAt(checkpoint: KeptCheckpoint | null): boolean {
    return checkpoint === null ? this.checkpoint === null : isSame(this.checkpoint, checkpoint);
  }

  /** Lets go of the database; one that will not close hinders nobody here. */
  async close(): Promise<void> {
    try {
      await this.#storage.close();
    } catch (error) {
      report(error, 'closing a copy');
    }
  }

  async #save(): Promise<void> {
    await this.#storage.write(this.#unsavedEnvelopes());
    this.#unsaved.clear();
    this.#unsavedCheckpoint = null;
  }

  #unsavedEnvelopes(): Envelope[] {
    const checkpoint = this.#unsavedCheckpoint;
    const last = checkpoint === null ? [] : [checkpointEnvelope(checkpoint)];
    return [...toEnvelopes([...this.#unsaved.values()]), ...last];
  }
}

const isSame = (a: KeptCheckpoint | null, b: KeptCheckpoint): boolean =>
  a?.epoque === b.epoque && a.revision === b.revision && a.whole === b.whole;

/** What a storage fails with, whatever it is, means one thing to the copy. */
async function unlessUnreadable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Failure('unreadable', error);
  }
}
