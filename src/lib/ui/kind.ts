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
  /** The list of the acts that change the field, if that is a list of its own. */
  readonly acts?: ModificationList;
}

/** A kind of record, described once: its history, its deletion, its form and its screen follow from this. */
export interface Kind<R extends RecordWithId> {
  readonly collection: CollectionName;
  /** The word for such a record: « Livre ». */
  readonly label: () => string;
  readonly fields: readonly ComparableField<R>[];
  readonly historyFields?: readonly HistoryField[];
  readonly get: (id: number) => R | undefined;
  /** Its name in a sentence and as a heading. */
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
  /** Shows at the fields what is wrong; true where nothing is. */
  check(): boolean;
  /** Shows a refusal at its fields; true where a field takes it. */
  showAtField(refusal: Refusal | null): boolean;
}

/** What a form asks of the kind of its record; `E` is what is typed into the form. */
export interface FormKind<
  R extends RecordWithId,
  E extends RecordEntry<R>,
> extends FollowedKind<R> {
  readonly entryOf: (record: R) => E;
  /** Adds what is typed, again where the record was deleted meanwhile; absent where nobody adds such a record. */
  readonly ajouter?: (entry: E, givenUp?: AbortSignal) => Promise<R>;
  /** Rewrites a record as it is typed; `ifMatch` and the refusals are those of `supprimer`. */
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
  /** The list or record that the screen leads back to. */
  readonly listOf: (record: R) => ComponentProps<typeof BackLink>;
  readonly notFound: () => ComponentProps<typeof NotFound>;
}
