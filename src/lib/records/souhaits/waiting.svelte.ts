import { createSubscriber, SvelteMap } from 'svelte/reactivity';
import { on } from 'svelte/events';
import { lireMoi } from '#shared/moi';
import { ajouterSouhait, souhaitKey } from '#shared/souhaits';
import { ajouterRevueSouhaitee, revueSouhaiteeKey } from '#shared/souhaits-revues';
import { ApiError, call, refusalOf } from '$lib/api/call';
import { newKey, write } from '$lib/api/write.svelte';
import { base } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { feedback, inOrder, type Batch, type Notice } from '$lib/api/feedback.svelte';
import { isOfHousehold } from '$lib/sync/other-household';
import { report } from '$lib/sync/report';
import { browserPart } from '$lib/sync/this-device';
import { forgetWaiting, keepWaiting, readWaiting, type WaitingWish } from './waiting-store.ts';

export type NewWish =
  | Pick<Extract<WaitingWish, { kind: 'livre' }>, 'kind' | 'saisie'>
  | Pick<Extract<WaitingWish, { kind: 'revue' }>, 'kind' | 'saisie'>;

/** The request itself is wrong: a second attempt would be refused again. */
const FINAL = new Set(['REQUETE_INVALIDE', 'ISBN_INVALIDE', 'ISSN_INVALIDE']);

/**
 * Wishes noted offline: stored on this device until their reader sends or discards them. Each has one idempotency
 * key, so that it is added once even if a response was lost (docs/rules.md § 50).
 */
class WaitingWishes {
  /** Why a wish was refused, by its key. */
  readonly refusals = new SvelteMap<string, string>();
  isSending = $state(false);
  readonly #dropping = new Map<string, AbortController>();
  /** Counts this tab's changes; storage events announce those of others. */
  #version = $state(0);
  readonly #follow = createSubscriber((change) => on(window, 'storage', change));

  /** The reader's own, the oldest first; reactive, whichever tab changes them. */
  get all(): readonly WaitingWish[] {
    this.#follow();
    void this.#version;
    const reader = this.#reader;
    return reader === null ? [] : readWaiting(reader);
  }

  /** A wish can be noted where the server is out of reach and the reader is known. */
  get canNote(): boolean {
    return connection.state !== 'online' && this.#reader !== null;
  }

  has(wish: NewWish): boolean {
    return this.all.some((other) => identityOf(other) === identityOf(wish));
  }

  /** Stores a wish on this device and notifies; false if the browser has no storage. */
  note(wish: NewWish, notice: Notice): boolean {
    const key = newKey();
    const bibliotheque = connection.household;
    const isKept = this.#keep({ ...wish, key, date: Date.now(), bibliotheque });
    const undo = async (batch: Batch) => {
      // The wish may have been sent meanwhile, also by another tab.
      if (!this.all.some((other) => other.key === key))
        throw new ApiError('refusal', m.wish_sent_since());
      this.#dropping.get(key)?.abort();
      this.#forget(key);
      batch.notify({ text: m.wish_dropped({ titre: wish.saisie.titre }), isFinal: true }, null);
    };
    if (isKept) feedback.notify({ ...notice, undo, isLocal: true });
    return isKept;
  }

  get toSend(): readonly WaitingWish[] {
    return this.all.filter((wish) => isOfHere(wish) && !this.refusals.has(wish.key));
  }

  /** Wishes of other households, which are never sent automatically. */
  get elsewhere(): readonly WaitingWish[] {
    return this.all.filter((wish) => !isOfHere(wish));
  }

  /** Moves wishes to this household, and sends all waiting ones. */
  async sendHere(wishes: readonly WaitingWish[]): Promise<void> {
    for (const wish of wishes) this.#keep({ ...wish, bibliotheque: connection.household });
    await this.send();
  }

  drop(wishes: readonly WaitingWish[]): void {
    for (const { key } of wishes) {
      this.#dropping.get(key)?.abort();
      this.#forget(key);
    }
    const [{ saisie: { titre } } = { saisie: { titre: '' } }] = wishes;
    const text =
      wishes.length === 1 ? m.wish_dropped({ titre }) : m.wishes_dropped({ count: wishes.length });
    const undo = async (batch: Batch) => {
      for (const wish of wishes) this.#keep(wish);
      batch.notify({ text: m.wishes_noted({ count: wishes.length }), isFinal: true }, null);
    };
    feedback.notify({ text, undo, isLocal: true });
  }

  /** Unsent wishes stay. */
  async send(): Promise<void> {
    const reader = this.#reader;
    if (reader === null || this.isSending) return;
    this.isSending = true;
    try {
      await this.#sendInTurn(reader);
    } catch (error) {
      if (!(error instanceof ApiError)) report(error, 'sending what waits');
    } finally {
      this.isSending = false;
    }
  }

  get #reader(): string | null {
    return connection.moi?.utilisateur ?? null;
  }

  #keep(wish: WaitingWish): boolean {
    const reader = this.#reader;
    const isKept = reader !== null && keepWaiting(reader, wish);
    this.#version++;
    return isKept;
  }

  #forget(key: string, reader = this.#reader): void {
    if (reader !== null) forgetWaiting(reader, key);
    this.refusals.delete(key);
    this.#version++;
  }

  /** In one tab at a time if the browser has locks; on plain HTTP the key alone prevents duplicates. */
  async #sendInTurn(reader: string): Promise<void> {
    const work = () => this.#sendAll(reader);
    const locks = browserPart('locks');
    if (locks === null) return work();
    return locks.request(`rayonnage|${base}|wishes`, work);
  }

  async #sendAll(reader: string): Promise<void> {
    await feedback.batch(
      async (batch) => {
        // In sequence, so that the list has them in the order of noting.
        const sent = await inOrder(this.toSend, async (wish, answered) => {
          // Another person may have signed in since.
          const { utilisateur } = await call(lireMoi, {});
          return utilisateur === reader && this.#send(reader, wish, batch, answered);
        });
        return sent.filter(Boolean).length;
      },
      (count) => (count > 1 ? { text: m.wishes_sent({ count }) } : undefined),
    );
  }

  /** True where the wish was added now. */
  async #send(
    reader: string,
    wish: WaitingWish,
    batch: Batch,
    answered: () => void,
  ): Promise<boolean> {
    const { key, bibliotheque = '' } = wish;
    const household = bibliotheque === '' ? undefined : bibliotheque;
    const dropping = new AbortController();
    this.#dropping.set(key, dropping);
    const { signal } = dropping;
    const onAnswer = () => {
      this.#forget(key, reader);
      answered();
    };
    const request = { key, signal, household };
    try {
      if (wish.kind === 'livre')
        await write(ajouterSouhait, { ...request, body: wish.saisie }, { batch, onAnswer });
      else
        await write(ajouterRevueSouhaitee, { ...request, body: wish.saisie }, { batch, onAnswer });
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

export const isOfHere = ({ bibliotheque }: WaitingWish): boolean =>
  isOfHousehold(bibliotheque, connection.household);

const identityOf = ({ kind, saisie }: NewWish): string =>
  `${kind}\n${kind === 'livre' ? souhaitKey(saisie) : revueSouhaiteeKey(saisie)}`;

export const waitingWishes = new WaitingWishes();
