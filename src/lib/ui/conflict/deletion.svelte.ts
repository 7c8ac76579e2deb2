import { ApiError, refusalOf } from '$lib/api/error';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { views } from '$lib/sync/views.svelte';
import { Action } from '../action.svelte.ts';
import type { DeletableKind } from '../kind.ts';
import { displayText, type ComparableField } from './conflict.svelte.ts';

/**
 * The deletion of a record that others may write meanwhile (docs/rules.md § 29): it is done at once, but a
 * record that another person has just edited is shown first.
 */
export class Deletion<R extends { readonly id: number }> {
  readonly kind: DeletableKind<R>;
  readonly submission: Action;
  readonly #device: () => R;
  /** The record as it was when its deletion was asked for; `null` while it is not. */
  #asked = $state.raw<R | null>(null);
  /** The record as it is by now: a refusal may know more than this device. */
  #known = $state.raw<R | null>(null);
  #revision: number | null = null;

  /**
   * @param device the record as the device has it by now, reactive
   * @param submission where the record has other writes beside its deletion
   */
  constructor(kind: DeletableKind<R>, device: () => R, submission = new Action()) {
    this.kind = kind;
    this.#device = device;
    this.submission = submission;
  }

  get record(): R {
    return this.#device();
  }

  /** True while the record is to be looked at, since it is no longer as it was. */
  get isAsking(): boolean {
    return this.#asked !== null && this.#known !== null && !this.#isSame(this.#asked, this.#known);
  }

  /** What is in the record by now, without its empty fields. */
  get content(): readonly {
    readonly key: string;
    readonly label: string;
    readonly text: string;
  }[] {
    const record = this.#known ?? this.record;
    return this.kind.fields
      .map((field) => ({ key: field.key, label: field.label(), text: textOf(field, record) }))
      .filter(({ text }) => text !== '');
  }

  /** Takes note of what the device has by now. */
  follow(): void {
    if (!this.submission.pending) this.#see(this.record, this.#deviceRevision());
  }

  /** Deletes the record as the reader has seen it; true once it is gone, whoever deleted it. */
  async confirm(): Promise<boolean> {
    if (this.#asked === null) {
      this.#asked = this.#known = this.record;
      this.#revision = this.#deviceRevision();
    }
    const isDone = await this.submission.run(() => this.#send());
    if (!this.isAsking) this.#asked = null;
    return isDone;
  }

  close(): void {
    this.#asked = null;
    this.submission.reset();
  }

  #deviceRevision(): number | null {
    return views().revisionOf(this.kind.collection, this.record.id);
  }

  /** An older revision than the known one is ignored. */
  #see(record: R, revision: number | null): void {
    if (revision !== null && this.#revision !== null && revision < this.#revision) return;
    this.#known = record;
    this.#revision = revision ?? this.#revision;
  }

  /** @throws `MODIFIE_ENTRETEMPS` only where the reader has to look again */
  async #send(): Promise<void> {
    const [revision, before, wasAsking] = [this.#revision, this.#known, this.isAsking];
    try {
      await this.kind.supprimer(this.record, revision);
      return;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code !== 'MODIFIE_ENTRETEMPS' || !(error instanceof ApiError)) throw error;
      if (refusal.actuel === null) return;
      const now = unsafeCast<R>(refusal.actuel);
      this.#see(now, error.revision);
      const isSame = before !== null && this.#isSame(before, now);
      if (!isSame || wasAsking !== this.isAsking || this.#revision === revision) throw error;
    }
    await this.#send();
  }

  #isSame(one: R, other: R): boolean {
    return this.kind.fields.every((field) => textOf(field, one) === textOf(field, other));
  }
}

const textOf = <R>(field: ComparableField<R>, record: R): string =>
  displayText(field, field.read(record));
