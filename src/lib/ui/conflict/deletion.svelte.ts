import { ApiError, refusalOf } from '$lib/api/error';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { displayText, type ComparableField } from './conflict.svelte.ts';

/** A record that a reader is about to delete while others may write it (docs/rules.md § 29). */
export class Deletion<R extends object> {
  /** True once the record is no longer as it was when the reader was asked. */
  isChanged = $state(false);
  readonly #fields: readonly ComparableField<R>[];
  readonly #asked: R;
  #record: R;
  #revision: number | null;

  constructor(fields: readonly ComparableField<R>[], record: R, revision: number | null) {
    this.#fields = fields;
    this.#asked = record;
    this.#record = $state.raw(record);
    this.#revision = revision;
  }

  /** What is in the record by now, without its empty fields. */
  get content(): readonly {
    readonly key: string;
    readonly label: string;
    readonly text: string;
  }[] {
    return this.#fields
      .map((field) => ({
        key: field.key,
        label: field.label(),
        text: this.#textOf(field, this.#record),
      }))
      .filter(({ text }) => text !== '');
  }

  /** Takes note of the record as it is by now; an older revision than the known one is ignored. */
  see(record: R, revision: number | null): void {
    if (revision !== null && this.#revision !== null && revision < this.#revision) return;
    this.#record = record;
    this.#revision = revision ?? this.#revision;
    this.isChanged = this.#fields.some(
      (field) => this.#textOf(field, record) !== this.#textOf(field, this.#asked),
    );
  }

  /**
   * Deletes the record as the reader has seen it; one that is gone already is a success.
   *
   * @throws whatever `send` throws, `MODIFIE_ENTRETEMPS` only where the reader has to look again
   */
  async send(send: (ifMatch: number | null) => Promise<unknown>): Promise<void> {
    const [revision, wasChanged] = [this.#revision, this.isChanged];
    try {
      await send(revision);
      return;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code !== 'MODIFIE_ENTRETEMPS' || !(error instanceof ApiError)) throw error;
      if (refusal.actuel === null) return;
      const before = this.#record;
      this.see(unsafeCast<R>(refusal.actuel), error.revision);
      const isSame = this.#fields.every(
        (field) => this.#textOf(field, before) === this.#textOf(field, this.#record),
      );
      if (!isSame || wasChanged !== this.isChanged || this.#revision === revision) throw error;
    }
    await this.send(send);
  }

  #textOf(field: ComparableField<R>, record: R): string {
    return displayText(field, field.read(record));
  }
}
