import { views } from '$lib/sync/views.svelte';
import { Action } from '../action.svelte.ts';
import type { DeletableKind } from '../kind.ts';
import {
  Conflict,
  displayText,
  type ComparableEntry,
  type ComparableField,
} from './conflict.svelte.ts';

/** Done at once, except that a record that another person has just edited is shown first (docs/rules.md § 29). */
export class Deletion<R extends { readonly id: number }> {
  readonly kind: DeletableKind<R>;
  readonly action: Action;
  readonly #device: () => R;
  /** Compares the record at the request for its deletion with the record by now; `null` where no deletion is asked for. */
  #conflict = $state.raw<Conflict<R> | null>(null);

  /** @param action where the record has other writes beside its deletion */
  constructor(kind: DeletableKind<R>, device: () => R, action = new Action()) {
    this.kind = kind;
    this.#device = device;
    this.action = action;
  }

  get record(): R {
    return this.#device();
  }

  get isAsking(): boolean {
    return this.#conflict?.hasNews === true;
  }

  get content(): readonly {
    readonly key: string;
    readonly label: string;
    readonly text: string;
  }[] {
    const record = this.#conflict?.record ?? this.record;
    return this.kind.fields
      .map((field) => ({
        key: field.key,
        label: field.label(),
        text: displayText(field, field.read(record)),
      }))
      .filter(({ text }) => text !== '');
  }

  follow(): void {
    this.#conflict?.see(this.record, this.#revision);
  }

  /** Deletes the record as the reader has seen it; true once it is gone, whoever deleted it. */
  async confirm(): Promise<boolean> {
    const { kind, record } = this;
    const nobody = () => undefined;
    const conflict = (this.#conflict ??= new Conflict(
      seenEntry(kind.fields, record),
      record,
      this.#revision,
      nobody,
    ));
    const isDone = await this.action.run(() =>
      conflict.send((ifMatch) => kind.supprimer(record, ifMatch)),
    );
    if (!this.isAsking) this.#conflict = null;
    return isDone;
  }

  close(): void {
    this.#conflict = null;
    this.action.reset();
  }

  get #revision(): number | null {
    return views().revisionOf(this.kind.collection, this.record.id);
  }
}

/** A record as the reader has seen it, in place of a form's entry. */
function seenEntry<R>(fields: readonly ComparableField<R>[], record: R): ComparableEntry<R> {
  const texts = new Map(fields.map((field) => [field.key, field.read(record)]));
  return { fields, text: (key) => texts.get(key) ?? '', setText: () => undefined };
}
