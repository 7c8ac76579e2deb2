import type { Component, ComponentProps } from 'svelte';
import type { Refusal } from '../api/call.ts';
import type { CollectionName } from '#shared/collections';
import type BackLink from './BackLink.svelte';
import type {
  ComparableEntry,
  ComparableField,
  FollowedKind,
  ToldField,
} from './conflict/conflict.svelte.ts';
import type NotFound from './NotFound.svelte';

interface Identified {
  readonly id: number;
}

/** A list of the history. */
export interface ActList {
  /** Its name in the address. */
  readonly key: string;
  readonly label: () => string;
  readonly icon: Component;
}

/** A field that the history tells. */
interface HistoryField extends ToldField {
  /** The list of the acts that change it, if that is a list of its own. */
  readonly acts?: ActList;
}

/** A kind of record, said once: its history, its deletion, its form and its screen follow from this. */
export interface Kind<R extends Identified> {
  readonly collection: CollectionName;
  /** What such a record is called: « Livre ». */
  readonly label: () => string;
  /** The fields by which two states of a record are compared. */
  readonly fields: readonly ComparableField<R>[];
  /** What the history tells of it besides these fields. */
  readonly historyFields?: readonly HistoryField[];
  /** The record on this device, reactive; `undefined` for an unknown id. */
  readonly get: (id: number) => R | undefined;
  /** Its name in a sentence and as a heading. */
  readonly titreOf: (record: R) => string;
}

export interface DeletableKind<R extends Identified> extends Kind<R> {
  /**
   * Deletes a record.
   *
   * @param ifMatch the revision that the reader saw (docs/rules.md § 29); `null` deletes any
   * @throws the refusal `MODIFIE_ENTRETEMPS` with the record as it is
   */
  readonly supprimer: (record: R, ifMatch: number | null) => Promise<unknown>;
}

/** What is typed into the form of a record. */
export interface RecordEntry<R> extends ComparableEntry<R> {
  /** Tells what is wrong at the fields; true where nothing is. */
  check(): boolean;
  /** Shows a refusal at its fields; true where a field takes it. */
  placeRefusal(refusal: Refusal | null): boolean;
}

/** What the form of a record asks of its kind; `E` is what is typed into it. */
export interface FormKind<R extends Identified, E extends RecordEntry<R>> extends FollowedKind<R> {
  readonly entryOf: (record: R) => E;
  /**
   * Adds what is typed, which may have been deleted meanwhile; absent where nobody adds such a record.
   *
   * @param unsent gives the write up while nothing of it is done
   */
  readonly ajouter?: (entry: E, unsent?: AbortSignal) => Promise<R>;
  /** Rewrites a record as it is typed; `ifMatch` and what it throws are those of `supprimer`. */
  readonly modifier: (
    id: number,
    entry: E,
    ifMatch: number | null,
    unsent?: AbortSignal,
  ) => Promise<R>;
}

/** A kind of record with a form, a name and a deletion. */
export interface EditableKind<R extends Identified, E extends RecordEntry<R>>
  extends DeletableKind<R>, FormKind<R, E> {
  readonly ajouter: NonNullable<FormKind<R, E>['ajouter']>;
}

/** A kind of record with a screen, on which its form is opened. */
export interface ScreenKind<R extends Identified> extends Kind<R> {
  readonly hrefOf: (record: R) => string;
  /** The list or record that its screen leads back to. */
  readonly listOf: (record: R) => ComponentProps<typeof BackLink>;
  /** What is said where there is no such record. */
  readonly notFound: () => ComponentProps<typeof NotFound>;
}
