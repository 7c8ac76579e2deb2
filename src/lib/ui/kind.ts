import type { Component, ComponentProps } from 'svelte';
import type { Refusal } from '../api/call.ts';
import type { CollectionName } from '#shared/collection-names';
import type BackLink from './BackLink.svelte';
import type {
  ComparableEntry,
  ComparableField,
  FollowedKind,
  NamedField,
} from './conflict/conflict.svelte.ts';
import type NotFound from './NotFound.svelte';

interface RecordWithId {
  readonly id: number;
}

export interface ModificationList {
  readonly key: string;
  readonly label: () => string;
  readonly icon: Component;
}

interface HistoryField extends NamedField {
  /** The history list of the field's changes, if it is separate. */
  readonly acts?: ModificationList;
}

/** A kind of record, described once: its history, its deletion, its form and its screen follow from this. */
export interface Kind<R extends RecordWithId> {
  readonly collection: CollectionName;
  /** The singular of the kind: « Livre ». */
  readonly label: () => string;
  readonly fields: readonly ComparableField<R>[];
  readonly historyFields?: readonly HistoryField[];
  readonly get: (id: number) => R | undefined;
  /** The record's name in sentences and headings. */
  readonly titreOf: (record: R) => string;
}

export interface DeletableKind<R extends RecordWithId> extends Kind<R> {
  /**
   * @param ifMatch the revision that the reader saw (docs/rules.md § 29); `null` deletes any
   * @throws the refusal `MODIFIE_ENTRETEMPS` with the record as it is
   */
  readonly supprimer: (record: R, ifMatch: number | null) => Promise<unknown>;
}

export interface RecordEntry<R> extends ComparableEntry<R> {
  /** Shows errors at the fields; true without any. */
  check(): boolean;
  /** Shows a refusal at its fields; true if a field takes it. */
  showAtField(refusal: Refusal | null): boolean;
}

/** The form of a kind of record; `E` is the typed entry. */
export interface FormKind<
  R extends RecordWithId,
  E extends RecordEntry<R>,
> extends FollowedKind<R> {
  readonly entryOf: (record: R) => E;
  /** Adds the entry, again if the record was deleted meanwhile; absent if nobody adds such records. */
  readonly ajouter?: (entry: E, givenUp?: AbortSignal) => Promise<R>;
  /** Writes the entry to a record; `ifMatch` and the refusals as in `supprimer`. */
  readonly modifier: (
    id: number,
    entry: E,
    ifMatch: number | null,
    givenUp?: AbortSignal,
  ) => Promise<R>;
}

export interface EditableKind<R extends RecordWithId, E extends RecordEntry<R>>
  extends DeletableKind<R>, FormKind<R, E> {
  readonly ajouter: NonNullable<FormKind<R, E>['ajouter']>;
}

export interface ScreenKind<R extends RecordWithId> extends Kind<R> {
  readonly hrefOf: (record: R) => string;
  /** The list or record of the back link. */
  readonly listOf: (record: R) => ComponentProps<typeof BackLink>;
  readonly notFound: () => ComponentProps<typeof NotFound>;
}
