import { untrack } from 'svelte';
import type { Refusal } from '$lib/api/call';
import type { RefusalCode } from '#shared/refusals';
import type { Parts } from '../conflict/conflict.svelte.ts';
import { errorsOf, type FieldWithRefusals } from './refused.ts';

/** A field with several tokens, such as authors or themes; `T` is a known one. */
export interface Tokens<T extends { readonly nom: string } = { readonly nom: string }> {
  readonly autocapitalize: 'words' | 'none';
  readonly listLabel: () => string;
  /** Equal for all spellings of one token. */
  keyOf(token: string): string;
  /** The known ones that match a text, the likeliest first. */
  search(text: string): readonly T[];
  /** A remark after a suggestion, such as a count. */
  detail(known: T): string;
  /** True if Enter takes the first suggestion; after Escape, Enter takes the typed text. */
  readonly activateFirst?: boolean;
}

/**
 * The single description of a form's field: form, validation, request and conflicts follow from it. `R` is the
 * record, `S` the payload.
 */
export interface FieldDescription<R, S> {
  /** The field's key in the record, in the request and in refusals. */
  readonly key: string;
  readonly label: () => string;
  readonly name?: () => string;
  readonly hint?: () => string;
  readonly rows?: number;
  readonly type?: 'url' | 'date';
  readonly max?: () => string;
  readonly autocapitalize?: 'words';
  readonly maxlength?: number;
  readonly required?: boolean;
  /** True for an integer: a phone shows a numeric keyboard. */
  readonly numeric?: boolean;
  readonly half?: boolean;
  /** The values of a choice; a new record has the first. */
  readonly options?: readonly { readonly value: string; readonly label: () => string }[];
  /** For a field with several tokens, see `splitTokens`. */
  readonly tokens?: Tokens;
  readonly code?: boolean;
  readonly read: (record: R) => string;
  /** The part of the payload for a text. */
  readonly write: (text: string) => Partial<S>;
  readonly check?: (text: string) => string | undefined;
  readonly display?: (text: string) => string;
  readonly format?: (value: string) => string;
  readonly parts?: Parts;
  readonly refusals?: readonly RefusalCode[];
}

/** The fields filled from a catalogue record, with the requested code. */
export interface Prefill {
  readonly code: string | null;
  readonly texts: Readonly<Record<string, string>>;
}

export const NOTHING_PREFILLED: Prefill = { code: null, texts: {} };

/** The typed values of a form: a text for each field, and its error. */
export class TextEntry<R, S> {
  readonly fields: readonly FieldDescription<R, S>[];
  texts = $state<Record<string, string>>({});
  errors = $state.raw<Readonly<Record<string, string>>>({});
  /** The picture of a new record, sent once the record exists. */
  image = $state.raw<Blob | null>(null);
  /** True while a picture is being read: the record waits, or the picture would go to the next record. */
  isImageComing = $state(false);
  /** Texts that nobody wrote: a field with another text has been written since. */
  prefilled = $state.raw(NOTHING_PREFILLED);

  readonly #base: S;

  /** @param base the payload besides the fields */
  constructor(fields: readonly FieldDescription<R, S>[], record: R | null, base: S) {
    this.fields = fields;
    this.#base = base;
    for (const field of fields)
      this.texts[field.key] = record === null ? blankOf(field) : field.read(record);
  }

  text(key: string): string {
    return this.texts[key] ?? '';
  }

  setText(key: string, text: string): void {
    untrack(() => {
      if (text !== this.text(key)) this.clearError(key);
    });
    this.texts[key] = text;
  }

  /** True while nothing is typed; a choice is not typed. */
  get isBlank(): boolean {
    if (this.image !== null) return false;
    return this.fields.every(
      ({ key, options }) => options !== undefined || this.text(key).trim() === '',
    );
  }

  /** True where a person has written the text of the field. */
  isWritten(key: string): boolean {
    const text = this.text(key).trim();
    return text !== this.#blank(key) && text !== this.prefilled.texts[key]?.trim();
  }

  /** Proposes a text for a field, until a person types another one; the next proposal replaces it. */
  propose(key: string, text: string): void {
    if (this.isWritten(key) && this.text(key) !== text) return;
    this.setText(key, text);
    const { code, texts } = this.prefilled;
    this.prefilled = { code, texts: { ...texts, [key]: text } };
  }

  /** @returns the keys of the fields that keep another text, which a person has written */
  prefill({ code, texts }: Prefill): string[] {
    const given = Object.entries(texts);
    const kept = given.filter(([key]) => this.isWritten(key));
    this.prefilled = {
      code,
      texts: Object.fromEntries(given.filter((one) => !kept.includes(one))),
    };
    for (const [key, text] of Object.entries(this.prefilled.texts))
      this.setText(key, text || this.#blank(key));
    return kept
      .filter(([key, text]) => text.trim() !== '' && this.text(key).trim() !== text.trim())
      .map(([key]) => key);
  }

  /** Empties fields that were filled in and not changed since, except for that of the code. */
  clearPrefilled(): void {
    for (const key of Object.keys(this.prefilled.texts))
      if (key !== 'isbn' && !this.isWritten(key)) this.setText(key, this.#blank(key));
    this.prefilled = NOTHING_PREFILLED;
  }

  #blank(key: string): string {
    const field = this.fields.find((one) => one.key === key);
    return field === undefined ? '' : blankOf(field);
  }

  /** Editing a field clears its error until the next attempt. */
  protected clearError(key: string): void {
    if (!(key in this.errors)) return;
    const { [key]: _cleared, ...errors } = this.errors;
    this.errors = errors;
  }

  check(): boolean {
    if (this.isImageComing) return false;
    const errors: Record<string, string> = {};
    for (const { key, check } of this.fields) {
      const error = check?.(this.text(key));
      if (error !== undefined) errors[key] = error;
    }
    this.errors = errors;
    return Object.keys(errors).length === 0;
  }

  toSaisie(): S {
    return this.fields.reduce(
      (saisie, { key, write }) => ({ ...saisie, ...write(this.text(key)) }),
      this.#base,
    );
  }

  /** True if a field takes the refusal; `prefix` is the record's path in the request, such as `numero.` */
  showAtField(refusal: Refusal | null, prefix = ''): boolean {
    this.errors = errorsOf(refusal, this.fieldsWithRefusals, prefix);
    return Object.keys(this.errors).length > 0;
  }

  /** The fields that refusals may belong to, and their substitutes. */
  protected get fieldsWithRefusals(): readonly FieldWithRefusals[] {
    return this.fields;
  }

  protected hasField(key: string): boolean {
    return this.fields.some((field) => field.key === key);
  }
}

const blankOf = <R, S>({ options }: FieldDescription<R, S>): string => options?.[0]?.value ?? '';

/** The tokens of a `tokens` field: one a line, the one being typed last. */
export const splitTokens = (text: string): string[] =>
  text
    .split('\n')
    .map((token) => token.trim())
    .filter((token) => token !== '');

export const joinTokens = (tokens: readonly string[]): string =>
  tokens.map((token) => `${token}\n`).join('');
