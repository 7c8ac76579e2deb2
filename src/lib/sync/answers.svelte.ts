import type { Subscription } from 'rxjs';
import type { FusionSuggestion } from '#shared/auteurs';
import type { Bibliographie } from '#shared/bibliographie';
import type { Version } from '#shared/version';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { Answer, Answers } from './database.ts';
import { perIdentity } from './identity.svelte.ts';
import { report, unawaited } from './report.ts';

/** Cached responses for reading offline, by key; a bibliography by its author's id. */
type CachedResponses = {
  readonly version: Version;
  readonly suggestions: readonly FusionSuggestion[];
} & Readonly<Record<`bibliographie:${number}`, Bibliographie>>;

export interface CachedResponse<T> {
  readonly value: T;
  readonly date: Date;
}

const MAX_ANSWERS = 100;

/**
 * The server's last responses other than records, for one household and one reader, in a collection shared by all
 * tabs; reactive. Each is stored with its household, since ids differ between households.
 */
class AnswerStore {
  /** The latest response for each key; those of this page may not be in the collection yet. */
  #latest = $state.raw<ReadonlyMap<string, Answer>>(new Map());
  /** True once the answers of this reader have been read, or cannot be. */
  isRead = $state(false);
  #household = '';
  #collection: Answers | null = null;
  #following: Subscription | null = null;
  #turn: Promise<void> = Promise.resolve();

  /** Loads the responses of a household; without a collection or a known household, only those of this page remain. */
  open(household: string, collection: Answers | null): void {
    if (household === this.#household && collection === this.#collection) return;
    this.#household = household;
    this.#collection = household === '' ? null : collection;
    this.#following?.unsubscribe();
    this.#following = null;
    if (this.#collection === null) this.isRead = true;
    else {
      const prefix = this.#prefix;
      const opened = this.#collection;
      const what = 'reading the kept answers';
      unawaited(
        this.#runExclusive(what, () => this.#follow(prefix, opened)),
        what,
      );
    }
  }

  get<K extends keyof CachedResponses>(key: K): CachedResponse<CachedResponses[K]> | null {
    const answer = this.#latest.get(key);
    if (answer === undefined) return null;
    const value = unsafeCast<CachedResponses[K]>(JSON.parse(answer.value));
    return { value, date: new Date(answer.time) };
  }

  keep<K extends keyof CachedResponses>(key: K, value: CachedResponses[K]): Promise<void> {
    const answer = { key, value: JSON.stringify(value), time: Date.now() };
    this.#take([answer]);
    return this.#runExclusive(`keeping the answer ${key}`, async () => {
      const prefix = this.#prefix;
      const collection = this.#collection;
      if (collection === null) return;
      await collection.upsert({ ...answer, key: prefix + key });
      const all = (await collection.find().exec()).map((document) => document.toJSON());
      const old = all.toSorted((a, b) => b.time - a.time).slice(MAX_ANSWERS);
      if (old.length === 0) return;
      const gone = new Set(old.map((one) => one.key));
      await collection.bulkRemove([...gone]);
      // RxDB would keep deleted documents as long as the replica exists.
      await collection.storageInstance.cleanup(0);
      this.#latest = new Map([...this.#latest].filter(([kept]) => !gone.has(prefix + kept)));
    });
  }

  get #prefix(): string {
    return `${this.#household}|`;
  }

  /** Merges responses from the collection, where another tab may have stored a later one. */
  #take(answers: readonly Answer[]): void {
    const latest = new Map(this.#latest);
    for (const answer of answers)
      if ((latest.get(answer.key)?.time ?? -1) <= answer.time) latest.set(answer.key, answer);
    this.#latest = latest;
  }

  async #follow(prefix: string, collection: Answers): Promise<void> {
    const named = [...this.#latest.values()].map((one) => ({ ...one, key: prefix + one.key }));
    // A newly filled replica has none of them yet; existing ones stay.
    if (named.length > 0) await collection.bulkInsert(named);
    if (collection !== this.#collection) return;
    this.#following = collection.find().$.subscribe((documents) => {
      const ours = documents.flatMap((document) => {
        const { key, value, time } = document.toJSON();
        return key.startsWith(prefix) ? [{ key: key.slice(prefix.length), value, time }] : [];
      });
      this.#take(ours);
      this.isRead = true;
    });
  }

  /** Runs work sequentially; failures are only reported. */
  #runExclusive(what: string, work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      report(error, what);
      this.isRead = true;
    });
    return this.#turn;
  }
}

export const answers = perIdentity(() => new AnswerStore());
