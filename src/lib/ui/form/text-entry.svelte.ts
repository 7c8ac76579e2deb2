import { untrack } from 'svelte';
import type { Refusal } from '$lib/api/call';
import type { RefusalCode } from '#shared/refusals';
import type { Parts } from '../conflict/conflict.svelte.ts';
import { errorsOf, type FieldWithRefusals } from './refused.ts';

/** How a field holds several tokens, as authors or themes; `T` is a known one. */
export interface Tokens<T extends { readonly nom: string } = { readonly nom: string }> {
  readonly autocapitalize: 'words' | 'none';
  readonly listLabel: () => string;
  /** Two spellings of one token have the same key. */
  keyOf(token: string): string;
  /** The known ones that match a text, the likeliest first. */
  search(text: string): readonly T[];
  /** A remark after a suggestion, such as a count. */
  detail(known: T): string;
  /** True where Enter takes the first suggestion; after Escape, Enter takes what is typed. */
  readonly activateFirst?: boolean;
}

/**
 * A field of a record's form, described once: the form, its checks, the request and a conflict follow from it. `R` is
 * the record, `S` what is sent for it.
 */
export interface FieldDescription<R, S> {
  /** Its name in the record, in the request and in the refusals of the server. */
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
  /** True for a whole number: a phone's keyboard shows digits. */
  readonly numeric?: boolean;
  readonly half?: boolean;
  /** The values of a choice; a new record has the first. */
  readonly options?: readonly { readonly value: string; readonly label: () => string }[];
  /** Given where the field holds several tokens, see `splitTokens`. */
  readonly tokens?: Tokens;
  readonly code?: boolean;
  readonly read: (record: R) => string;
  /** The part of the request that a text makes. */
  readonly write: (text: string) => Partial<S>;
  readonly check?: (text: string) => string | undefined;
  readonly display?: (text: string) => string;
  readonly format?: (value: string) => string;
  readonly parts?: Parts;
  readonly refusals?: readonly RefusalCode[];
}

/** What a catalogue record has filled into a form, and the code that it was asked for. */
export interface Prefill {
  readonly code: string | null;
  readonly texts: Readonly<Record<string, string>>;
}

export const NOTHING_PREFILLED: Prefill = { code: null, texts: {} };

/** What is typed into a form: a text for each field, and what is wrong with it. */
export class TextEntry<R, S> {
  readonly fields: readonly FieldDescription<R, S>[];
  texts = $state<Record<string, string>>({});
  errors = $state.raw<Readonly<Record<string, string>>>({});
  /** The picture of a new record, which is sent once the record is there. */
  image = $state.raw<Blob | null>(null);
  /** True while a picture is being read: the record waits, or the picture would go to the next record. */
  isImageComing = $state(false);
  /** Texts that nobody wrote: a field with another text has been written since. */
  prefilled = $state.raw(NOTHING_PREFILLED);

  readonly #base: S;

  /** @param base what the request holds besides the part of each field */
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

  /** Has a text stand in a field until a person writes another one; the next proposal takes its place. */
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

  /** A field whose text changes is no longer wrong, until the next attempt. */
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

  /** True where a field takes the refusal; `prefix` is where the record stands in the request, such as `numero.` */
  showAtField(refusal: Refusal | null, prefix = ''): boolean {
    this.errors = errorsOf(refusal, this.fieldsWithRefusals, prefix);
    return Object.keys(this.errors).length > 0;
  }

  /** What a refusal may name: the fields, and what stands for them. */
  protected get fieldsWithRefusals(): readonly FieldWithRefusals[] {
    return this.fields;
  }

  protected hasField(key: string): boolean {
    return this.fields.some((field) => field.key === key);
  }
}

const blankOf = <R, S>({ options }: FieldDescription<R, S>): string => options?.[0]?.value ?? '';

/** The texts of a `tokens` field: one a line, the one being typed last. */
export const splitTokens = (text: string): string[] =>
  text
    .split('\n')
    .map((token) => token.trim())
    .filter((token) => token !== '');

export const joinTokens = (tokens: readonly string[]): string =>
  tokens.map((token) => `${token}\n`).join('');
