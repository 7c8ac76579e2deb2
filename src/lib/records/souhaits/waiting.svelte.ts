import { createSubscriber, SvelteMap } from 'svelte/reactivity';
import { on } from 'svelte/events';
import { lireMoi } from '#shared/moi';
import { ajouterSouhait, souhaitKey } from '#shared/souhaits';
import { ajouterRevueSouhaitee, revueSouhaiteeKey } from '#shared/souhaits-revues';
import { call } from '$lib/api/call';
import { refusalOf } from '$lib/api/error';
import { newKey } from '$lib/api/retry-until-answered';
import { base } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { feedback, type Batch } from '$lib/sync/feedback.svelte';
import { poll } from '$lib/sync/poll';
import { write } from '$lib/sync/write';
import { forgetWaiting, keepWaiting, readWaiting, type WaitingWish } from './waiting-store.ts';

/** A wish as it is typed. */
export type NewWish =
  | Pick<Extract<WaitingWish, { kind: 'livre' }>, 'kind' | 'saisie'>
  | Pick<Extract<WaitingWish, { kind: 'revue' }>, 'kind' | 'saisie'>;

const PAUSES = { minMs: 5_000, maxMs: 300_000 };

/** The request itself is wrong: sent again it would be refused again. */
const FINAL = new Set(['REQUETE_INVALIDE', 'ISBN_INVALIDE', 'ISSN_INVALIDE']);

/**
 * The wishes that were noted without a network: the only thing that waits. Each is kept on this device for
 * whoever noted it, sent by one tab once that reader is back online, and has one key for all tries, so
 * that it is added once although an answer was lost (docs/rules.md § 50).
 */
class WaitingWishes {
  /** Why one was refused, by its key. */
  readonly refusals = new SvelteMap<string, string>();
  readonly #changes = new Set<() => void>();
  readonly #dropping = new Map<string, AbortController>();
  readonly #follow = createSubscriber((change) => {
    this.#changes.add(change);
    const off = on(window, 'storage', change);
    return () => {
      this.#changes.delete(change);
      off();
    };
  });

  /** The reader's own, the oldest first; reactive, whichever tab changes them. */
  get all(): readonly WaitingWish[] {
    this.#follow();
    const reader = this.#reader;
    return reader === null ? [] : readWaiting(reader);
  }

  /** Whether a wish can be noted: the server is out of reach, and it is known whose it would be. */
  get canNote(): boolean {
    return connection.state !== 'online' && this.#reader !== null;
  }

  /** Whether the same wish waits already. */
  has(wish: NewWish): boolean {
    return this.all.some((other) => identityOf(other) === identityOf(wish));
  }

  /** Keeps a wish on this device; false where the browser keeps nothing. */
  note(wish: NewWish): boolean {
    return this.#keep({ ...wish, key: newKey(), date: Date.now() });
  }

  /** Gives a wish up that has not been sent. */
  drop(wish: WaitingWish): void {
    this.#dropping.get(wish.key)?.abort();
    this.#forget(wish.key);
    const { titre } = wish.saisie;
    const undo = async (batch: Batch) => {
      this.#keep(wish);
      batch.notify({ text: m.wish_noted({ titre }), isFinal: true }, null);
    };
    feedback.notify({ text: m.wish_dropped({ titre }), undo, isLocal: true });
  }

  /** Sends what a reader has noted, until nothing is left; returns how to stop. */
  sendFor(reader: string): () => void {
    return poll((signal) => this.#sendInTurn(reader, signal), 'sending what waits', PAUSES);
  }

  get #reader(): string | null {
    return connection.moi?.utilisateur ?? null;
  }

  #keep(wish: WaitingWish): boolean {
    const reader = this.#reader;
    const isKept = reader !== null && keepWaiting(reader, wish);
    this.#tell();
    return isKept;
  }

  #forget(key: string, reader = this.#reader): void {
    if (reader !== null) forgetWaiting(reader, key);
    this.refusals.delete(key);
    this.#tell();
  }

  #tell(): void {
    for (const change of this.#changes) change();
  }

  /** In one tab at a time where the browser has locks; on plain http the key alone keeps it to once. */
  async #sendInTurn(reader: string, signal: AbortSignal): Promise<boolean> {
    const work = () => this.#sendAll(reader, signal);
    if (!('locks' in navigator)) return work();
    return navigator.locks.request(`rayonnage|${base}|wishes`, { signal }, work);
  }

  /** True once nothing is left that can be sent. */
  async #sendAll(reader: string, signal: AbortSignal): Promise<boolean> {
    const isToSend = ({ key }: WaitingWish) => !this.refusals.has(key);
    await feedback.batch(
      async (batch) => {
        let count = 0;
        for (const wish of readWaiting(reader).filter(isToSend)) {
          signal.throwIfAborted();
          // Another person may have signed on since.
          const { utilisateur } = await call(lireMoi, { signal });
          if (utilisateur !== reader) return 0;
          if (await this.#send(reader, wish, batch, signal)) count++;
        }
        return count;
      },
      (count) => (count > 1 ? { text: m.wishes_sent({ count }) } : undefined),
    );
    return !readWaiting(reader).some(isToSend);
  }

  /** True where it was added now. */
  async #send(
    reader: string,
    wish: WaitingWish,
    batch: Batch,
    leaving: AbortSignal,
  ): Promise<boolean> {
    const { key } = wish;
    const dropping = new AbortController();
    this.#dropping.set(key, dropping);
    const signal = AbortSignal.any([leaving, dropping.signal]);
    const onAnswer = () => this.#forget(key, reader);
    try {
      if (wish.kind === 'livre')
        await write(ajouterSouhait, { body: wish.saisie, key, signal }, { batch, onAnswer });
      else
        await write(ajouterRevueSouhaitee, { body: wish.saisie, key, signal }, { batch, onAnswer });
      return true;
    } catch (error) {
      const refusal = refusalOf(error);
      if (dropping.signal.aborted) return false;
      if (refusal?.code === 'SOUHAIT_EXISTANT') {
        this.#forget(key, reader);
        const text = m.wish_existed({ titre: wish.saisie.titre });
        batch.notify({ text, isFinal: true }, null);
      } else if (refusal !== null && FINAL.has(refusal.code))
        this.refusals.set(key, refusal.message);
      else throw error;
      return false;
    } finally {
      this.#dropping.delete(key);
    }
  }
}

const identityOf = ({ kind, saisie }: NewWish): string =>
  `${kind}\n${kind === 'livre' ? souhaitKey(saisie) : revueSouhaiteeKey(saisie)}`;

export const waitingWishes = new WaitingWishes();
