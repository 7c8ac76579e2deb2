import { getContext, setContext } from 'svelte';
import { ApiError, refusalOf } from '$lib/api/call';
import { link } from '$lib/api/link';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { views } from '$lib/sync/views.svelte';
import type { CollectionName } from '#shared/collection-names';
import type { ModificationDocument } from '#shared/modifications';
import { withDeletedHere } from '../deleted-here.svelte.ts';

export interface NamedField {
  readonly key: string;
  readonly label: () => string;
  /** The record's value in words; by default the value. */
  readonly format?: ((value: string) => string) | undefined;
  /** The sentence for a field that was empty before: « Rangé dans Couloir ». */
  readonly formatFirst?: ((words: string) => string) | undefined;
}

export interface ComparableField<R> extends NamedField {
  /** The text that stands for the record's value. */
  readonly read: (record: R) => string;
  /** The text as a reader sees it, by which two values are compared; trimmed by default. */
  readonly display?: ((text: string) => string) | undefined;
  readonly parts?: Parts | undefined;
}

/** How a text holds several named values, each compared and settled by itself. */
export interface Parts {
  of(text: string): ReadonlyMap<string, { readonly label: string; readonly text: string }>;
  /** A text with one part as another text has it, or without it. */
  withPart(text: string, key: string, from: string): string;
}

export interface ComparableEntry<R> {
  readonly fields: readonly ComparableField<R>[];
  text(key: string): string;
  setText(key: string, text: string): void;
}

export interface FollowedKind<R> {
  readonly collection: CollectionName;
  /** The record on this device, reactive; `undefined` for an unknown id. */
  readonly get: (id: number) => R | undefined;
  /** The record whose history lists this one as a part; by default the record itself. */
  readonly writtenAs?: (record: R) => RecordName;
}

interface RecordName {
  readonly collection: CollectionName;
  readonly id: number;
}

/** A field whose value in the record differs from both the form's initial value and the typed one. */
export interface Difference {
  /** The field's, or `details:prix` of a part. */
  readonly key: string;
  readonly label: string;
  readonly mine: string;
  readonly theirs: string;
  /** False if the reader has not changed the field: the record's text is taken. */
  readonly isTouched: boolean;
}

export const displayText = <R>(field: ComparableField<R>, text: string): string =>
  field.display?.(text) ?? text.trim();

const KEY = Symbol('conflict');

/**
 * Compares a record of the device with what comes of it.
 *
 * @returns besides, what hands the record of now to the conflict, together with its revision
 */
export function conflictOn<R extends { readonly id: number }>(
  collection: CollectionName,
  entry: ComparableEntry<R>,
  record: R,
  writer: () => Writer | undefined,
): { readonly conflict: Conflict<R>; readonly see: (record: R | undefined) => void } {
  const revision = () => views().revisionOf(collection, record.id);
  const conflict = new Conflict(entry, record, revision(), writer);
  return { conflict, see: (current) => conflict.see(current, revision()) };
}

/** The conflict of a form on a record, which follows the record on the device. Call while the form is set up. */
export function openConflict<R extends { readonly id: number }>(
  { collection, get, writtenAs }: FollowedKind<R>,
  entry: ComparableEntry<R>,
  record: R,
): Conflict<R> {
  const { id } = record;
  const writer = watchWriter(writtenAs?.(record) ?? { collection, id });
  const { conflict, see } = conflictOn(collection, entry, record, writer);
  setContext(KEY, conflict);
  const read = withDeletedHere(collection, () => get(id));
  $effect(() => {
    // A replica that is still opening has no records, which is no deletion.
    if (views().isReady) see(read());
  });
  return conflict;
}

/** For the fields of a form; `undefined` outside a form with a conflict. */
export const getConflict = (): Pick<Conflict<object>, 'differences' | 'who'> | undefined =>
  getContext(KEY);

/** Compares three texts of each field: the one seen last, the one typed, and the record's (docs/rules.md § 29). */
export class Conflict<R extends object> {
  /** True once another has deleted the record. */
  isGone = $state(false);
  /** The record as last received; the last state of a deleted record. */
  record = $state.raw<R>();
  /** The texts of the record that the reader has seen, by field; kept with the typed texts. */
  seen = $state.raw<Readonly<Record<string, string>>>({});
  readonly #entry: ComparableEntry<R>;
  readonly #writer: () => Writer | undefined;
  #revision = $state.raw<number | null>(null);
  #epoch = views().epoch;
  /** The epoch that a refusal has ended: the server has another one, from a backup. */
  #pastEpoch: string | null = null;
  /** During a write and after it what becomes of the record is the form's own doing. */
  #isSending = $state(false);

  /** @param revision `null` where the device does not know it */
  constructor(
    entry: ComparableEntry<R>,
    record: R,
    revision: number | null,
    writer: () => Writer | undefined,
  ) {
    this.#entry = entry;
    this.#writer = writer;
    this.record = record;
    this.#revision = revision;
    this.seen = Object.fromEntries(entry.fields.map(({ key, read }) => [key, read(record)]));
  }

  get differences(): readonly Difference[] {
    const { record } = this;
    if (record === undefined || this.isGone) return [];
    return this.#entry.fields.flatMap((field) => {
      const { key, parts } = field;
      const texts = [this.seen[key] ?? '', this.#entry.text(key), field.read(record)] as const;
      if (parts !== undefined) return partDifferences(key, parts, texts);
      const [seen = '', mine = '', theirs = ''] = texts.map((text) => displayText(field, text));
      return differenceOf({ key, label: field.label(), seen, mine, theirs });
    });
  }

  /** Stands before the other's text: a name, « Vous, ailleurs », or « La sienne » for an unknown person. */
  get who(): string {
    const writer = this.#writer();
    return writer === undefined ? m.conflict_theirs() : (writer.nom ?? m.conflict_own());
  }

  /** « Entre-temps, Bob a modifié cette fiche. », or has deleted it. */
  get sentence(): string {
    const writer = this.#writer();
    const nom = writer?.nom ?? null;
    if (!this.isGone) return nom === null ? m.conflict_changed() : m.conflict_changed_by({ nom });
    if (nom !== null) return m.conflict_gone_by({ nom });
    return writer === undefined ? m.conflict_gone() : m.conflict_gone_own();
  }

  /** True while the reader has to decide something before the form can be sent. */
  get isUnsettled(): boolean {
    return this.isGone || this.differences.some(({ isTouched }) => isTouched);
  }

  get hasNews(): boolean {
    return this.isGone || this.differences.length > 0;
  }

  /** `undefined` for a deleted record. An older revision is ignored: a refusal may know more than the replica. */
  see(record: R | undefined, revision: number | null): void {
    const { epoch } = views();
    if (this.#isSending || epoch === this.#pastEpoch) return;
    if (epoch === this.#epoch && this.#isBefore(revision)) return;
    this.#epoch = epoch;
    this.#noteRecord(record, revision);
  }

  #isBefore(revision: number | null): boolean {
    return revision !== null && this.#revision !== null && revision < this.#revision;
  }

  #noteRecord(record: R | undefined, revision: number | null): void {
    this.isGone = record === undefined;
    this.#revision = revision ?? this.#revision;
    this.record = record ?? this.record;
  }

  /** Settles a field: the typed text will replace the record's. */
  keep(key: string): void {
    const [name, part] = partOf(key);
    const field = this.#entry.fields.find((one) => one.key === name);
    const { record } = this;
    if (!field || !record) return;
    const read = field.read(record);
    const seen = field.parts?.withPart(this.seen[name] ?? '', part, read) ?? read;
    this.seen = { ...this.seen, [name]: part === '' ? read : seen };
  }

  /** Settles a field: the record's text replaces the typed one. */
  take(key: string): void {
    this.keep(key);
    const [name, part] = partOf(key);
    const seen = this.seen[name] ?? '';
    const { parts } = this.#entry.fields.find((one) => one.key === name) ?? {};
    const text = part === '' ? seen : parts?.withPart(this.#entry.text(name), part, seen);
    this.#entry.setText(name, text ?? seen);
  }

  takeAll(): void {
    for (const { key } of this.#entry.fields) this.take(key);
  }

  /**
   * Sends the form, with the record's text in each changed field that was left alone. A refusal because of another
   * write is noted; where that write changed nothing that the form shows, the form is sent again.
   *
   * @throws whatever `send` throws, `MODIFIE_ENTRETEMPS` only where there is something to show
   */
  async send<T>(send: (ifMatch: number | null) => Promise<T>): Promise<T> {
    for (const { key, isTouched } of this.differences) if (!isTouched) this.take(key);
    const revision = this.#revision;
    this.#isSending = true;
    try {
      return await send(revision);
    } catch (error) {
      this.#isSending = false;
      if (!this.#seeRefusal(error) || this.#revision === revision || this.hasNews) throw error;
    }
    return this.send(send);
  }

  /** Takes kept texts back: what has changed since is to be settled. */
  restoreSeen(seen: Readonly<Record<string, string>>): void {
    this.seen = { ...this.seen, ...seen };
  }

  #seeRefusal(error: unknown): boolean {
    const refusal = refusalOf(error);
    if (refusal?.code !== 'MODIFIE_ENTRETEMPS' || !(error instanceof ApiError)) return false;
    if (this.#isBefore(error.revision)) {
      this.#pastEpoch = this.#epoch;
      link.failed(); // the replica is of the database before, too
    }
    this.#noteRecord(unsafeCast<R | null>(refusal.actuel) ?? undefined, error.revision);
    return true;
  }
}

/** « details:prix » is a part of the field `details`; '' for the field itself. */
function partOf(key: string): readonly [name: string, part: string] {
  const [name = '', ...rest] = key.split(':');
  return [name, rest.join(':')];
}

interface Compared extends Omit<Difference, 'isTouched'> {
  readonly seen: string;
}

const differenceOf = ({ seen, ...rest }: Compared): Difference[] =>
  rest.theirs === seen || rest.theirs === rest.mine
    ? []
    : [{ ...rest, isTouched: rest.mine !== seen }];

function partDifferences(
  name: string,
  parts: Parts,
  texts: readonly [seen: string, mine: string, theirs: string],
): Difference[] {
  const [seen, mine, theirs] = [parts.of(texts[0]), parts.of(texts[1]), parts.of(texts[2])];
  return [...new Set([...mine.keys(), ...theirs.keys(), ...seen.keys()])].flatMap((part) => {
    const { label } = mine.get(part) ?? theirs.get(part) ?? seen.get(part) ?? { label: part };
    return differenceOf({
      key: `${name}:${part}`,
      label,
      seen: seen.get(part)?.text ?? '',
      mine: mine.get(part)?.text ?? '',
      theirs: theirs.get(part)?.text ?? '',
    });
  });
}

interface Writer {
  /** The person's name from the sign-on layer; `null` for the reader, in another tab or on another device. */
  readonly nom: string | null;
}

/** The last person to change a record from now on, by the acts that this device has; `undefined` for nobody. */
export function watchWriter({ collection, id }: RecordName): () => Writer | undefined {
  const newest = Array.from(views().modifications.keys()).reduce((a, b) => Math.max(a, b), 0);
  return () => {
    let last: ModificationDocument | undefined;
    for (const modification of views().modifications.values()) {
      if (modification.utilisateur === null || modification.id <= (last?.id ?? newest)) continue;
      if (modification.fiches.some((fiche) => fiche.collection === collection && fiche.id === id))
        last = modification;
    }
    if (last === undefined) return undefined;
    const isOwn = last.utilisateur === connection.moi?.utilisateur;
    return { nom: isOwn ? null : last.utilisateur };
  };
}
