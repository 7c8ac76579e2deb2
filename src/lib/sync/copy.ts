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

/** Receives the changes of a copy, a portion at a time. */
type Receive = (changes: readonly Change[]) => Promise<void>;

/** One open copy of one reader's records. */
export class Copy {
  readonly name: string;
  /** True where it lasts only as long as the page. */
  readonly inMemory: boolean;
  /** `null` before its first page. */
  checkpoint: KeptCheckpoint | null = null;
  readonly #storage: Storage;
  /** True where its records have other shapes than today's. */
  readonly #isOfOtherShapes: boolean;
  #revisions = new Map<string, number>();
  /** How many changes were read, superseded ones included. */
  #changesRead = 0;
  /** Changes that the device had no room for. They are written with the next page, never after it. */
  readonly #unsaved = new Map<string, Change>();
  #unsavedCheckpoint: KeptCheckpoint | null = null;
  /** True once a page had no room, until it has; false while it is on its way. */
  #isFull = false;

  constructor(name: string, storage: Storage, { stale = false, inMemory = false } = {}) {
    this.name = name;
    this.#storage = storage;
    this.#isOfOtherShapes = stale;
    this.inMemory = inMemory;
  }

  /** Why it is not all on the device; `null` where it is. */
  get storage(): State['storage'] {
    if (this.inMemory) return 'storageBlocked';
    return this.#isFull ? 'storageFull' : null;
  }

  /** True where a resync is due: it has other shapes, or most of its changes are superseded. */
  get stale(): boolean {
    return this.#isOfOtherShapes || this.#changesRead > 2 * this.#revisions.size;
  }

  /** Hands over all records and reads the checkpoint. */
  async read(receive: Receive): Promise<void> {
    this.#changesRead = 0;
    // Forgets pages that another tab announced and did not write: they are pulled again.
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

  /** The changes of a page that are later than what it holds. */
  news(changes: readonly Change[]): Change[] {
    return changes.filter(({ collection, id, revision, document }) => {
      const held = this.#revisions.get(keyOf(collection, id));
      return held === undefined ? document !== null : held < revision;
    });
  }

  /**
   * Writes a page and its checkpoint, both or neither. On a full device they stay in memory; a storage
   * that fails twice throws `unreadable`.
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
      this.#isFull = true;
    }
    this.heard(changes, checkpoint);
  }

  /** Notes a page that another tab has written. */
  heard(changes: readonly Change[], checkpoint: KeptCheckpoint): void {
    for (const { collection, id, revision } of changes)
      this.#revisions.set(keyOf(collection, id), revision);
    this.checkpoint = checkpoint;
  }

  /** Reads it again where another tab has written a page unheard. */
  async refresh(receive: Receive): Promise<void> {
    const kept = await unlessUnreadable(this.#storage.get(CHECKPOINT));
    if (kept === null && this.checkpoint !== null) throw new Failure('unreadable');
    if (kept !== null && !this.isAt(unsafeCast<KeptCheckpoint>(kept.document)))
      await this.read(receive);
  }

  /** Whether this is its checkpoint. */
  isAt(checkpoint: KeptCheckpoint | null): boolean {
    return checkpoint === null ? this.checkpoint === null : isSame(this.checkpoint, checkpoint);
  }

  /** Closes the database; a failure is only reported. */
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
    this.#isFull = false;
  }

  #unsavedEnvelopes(): Envelope[] {
    const checkpoint = this.#unsavedCheckpoint;
    const last = checkpoint === null ? [] : [checkpointEnvelope(checkpoint)];
    return [...toEnvelopes([...this.#unsaved.values()]), ...last];
  }
}

const isSame = (a: KeptCheckpoint | null, b: KeptCheckpoint): boolean =>
  a?.epoque === b.epoque && a.revision === b.revision && a.whole === b.whole;

/** Turns any failure of the storage into `unreadable`. */
async function unlessUnreadable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Failure('unreadable', error);
  }
}
