import { untrack } from 'svelte';
import type { Refusal } from '$lib/api/call';
import type { RefusalCode } from '#shared/refusals';

/** What the entries of a field are, of several; `T` is one that is known. */
export interface Tokens<T extends { readonly nom: string } = { readonly nom: string }> {
  readonly autocapitalize: 'words' | 'none';
  readonly listLabel: () => string;
  /** The key that two spellings of one entry share. */
  keyOf(token: string): string;
  /** The known entries that match a text, the likeliest first. */
  search(text: string): readonly T[];
  /** A remark after a suggestion, such as a count. */
  detail(known: T): string;
  /** True where Enter takes the first suggestion; Escape leaves what is typed to Enter. */
  readonly activateFirst?: boolean;
}

/**
 * One field of a record's form, described once. `R` is the record, `S` what is sent for it; the
 * form, its checks, the request and a conflict all follow from this.
 */
export interface FieldDescription<R, S> {
  /** Its name in the record, in the request and in the refusals of the server. */
  readonly key: string;
  readonly label: () => string;
  /** The words before the label in its accessible name. */
  readonly name?: () => string;
  readonly hint?: () => string;
  /** Where present, a text area of this height in lines. */
  readonly rows?: number;
  readonly type?: 'url' | 'date';
  /** The last day of a date. */
  readonly max?: () => string;
  readonly autocapitalize?: 'words';
  readonly maxlength?: number;
  readonly required?: boolean;
  /** True for a whole number, which brings up the digits of a phone's keyboard. */
  readonly numeric?: boolean;
  /** True where two fields share a line. */
  readonly half?: boolean;
  /** The values of a choice; a new record has the first. */
  readonly options?: readonly { readonly value: string; readonly label: () => string }[];
  /** Present where it takes several entries, see `splitTokens`. */
  readonly tokens?: Tokens;
  /** True for a code, whose digits are all as wide. */
  readonly code?: boolean;
  /** The text that stands for the record's value. */
  readonly read: (record: R) => string;
  /** The part of the request that a text makes. */
  readonly write: (text: string) => Partial<S>;
  /** The sentence that says what is wrong with a text, before the server is asked. */
  readonly check?: (text: string) => string | undefined;
  /** The text as a reader sees it, by which two values are compared; trimmed by default. */
  readonly display?: (text: string) => string;
  /** A value of the record in words, for the history; the value itself by default. */
  readonly format?: (value: string) => string;
  /** The codes of refusals that are about this field. */
  readonly refusals?: readonly RefusalCode[];
}

/** What a record of a catalogue has filled into a form, and the code that it was asked for. */
export interface Prefilled {
  readonly code: string | null;
  /** By the keys of their fields. */
  readonly texts: Readonly<Record<string, string>>;
}

export const NOTHING_PREFILLED: Prefilled = { code: null, texts: {} };

/** What is typed in a form, as it is typed: a text for each field, and what is wrong with it. */
export class TextEntry<R, S> {
  readonly fields: readonly FieldDescription<R, S>[];
  texts = $state<Record<string, string>>({});
  errors = $state.raw<Readonly<Record<string, string>>>({});
  /** A picture taken for a new record, which is sent once the record is there. */
  image = $state.raw<Blob | null>(null);
  /** True while one is being read: the record waits for it, or it would go to the next one. */
  isImageComing = $state(false);
  /** Texts that nobody wrote. A field that holds another one by now was written since. */
  prefilled = $state.raw(NOTHING_PREFILLED);

  readonly #base: S;

  /**
   * @param record the record to edit, `null` for a new one
   * @param base what the request holds besides the part of each field
   */
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

  /** True while nothing has been typed; a choice is not typed. */
  get isBlank(): boolean {
    if (this.image !== null) return false;
    return this.fields.every(
      ({ key, options }) => options !== undefined || this.text(key).trim() === '',
    );
  }

  /** True where a person has written what the field holds. */
  isWritten(key: string): boolean {
    const text = this.text(key).trim();
    return text !== this.#blank(key) && text !== this.prefilled.texts[key]?.trim();
  }

  /**
   * Fills the fields that nobody has written.
   *
   * @returns the keys of the fields that keep another text
   */
  prefill({ code, texts }: Prefilled): string[] {
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

  /** Empties what was filled in and nobody has changed, but for the field of the code. */
  clearPrefilled(): void {
    for (const key of Object.keys(this.prefilled.texts))
      if (key !== 'isbn' && !this.isWritten(key)) this.setText(key, this.#blank(key));
    this.prefilled = NOTHING_PREFILLED;
  }

  #blank(key: string): string {
    const field = this.fields.find((one) => one.key === key);
    return field === undefined ? '' : blankOf(field);
  }

  /** A field with another text is no longer wrong until the next attempt. */
  clearError(key: string): void {
    if (!(key in this.errors)) return;
    const { [key]: _cleared, ...errors } = this.errors;
    this.errors = errors;
  }

  /** Tells what is wrong before the server is asked; true where nothing is. */
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

  /** What is sent for the record. */
  toSaisie(): S {
    return this.fields.reduce(
      (saisie, { key, write }) => ({ ...saisie, ...write(this.text(key)) }),
      this.#base,
    );
  }

  /**
   * Puts a refusal of the server at the fields that it is about; true where there is one.
   *
   * @param prefix where the record stands in the request, such as `numero.`
   */
  placeRefusal(refusal: Refusal | null, prefix = ''): boolean {
    this.errors = Object.fromEntries(this.#errorsOf(refusal, prefix));
    return Object.keys(this.errors).length > 0;
  }

  #errorsOf(refusal: Refusal | null, prefix: string): (readonly [string, string])[] {
    if (refusal === null) return [];
    if (refusal.code !== 'REQUETE_INVALIDE')
      return this.fields
        .filter(({ refusals }) => refusals?.includes(refusal.code))
        .map(({ key }) => [key, refusal.message] as const);
    return refusal.champs
      .filter(({ champ }) => champ.startsWith(prefix))
      .map(
        ({ champ, message }) => [champ.slice(prefix.length).split('.')[0] ?? '', message] as const,
      )
      .filter(([key]) => this.hasField(key));
  }

  protected hasField(key: string): boolean {
    return this.fields.some((field) => field.key === key);
  }
}

/** What a field holds where nobody has written anything. */
const blankOf = <R, S>({ options }: FieldDescription<R, S>): string => options?.[0]?.value ?? '';

/** The entries of a `tokens` field: one a line, the one being typed last. */
export const splitTokens = (text: string): string[] =>
  text
    .split('\n')
    .map((token) => token.trim())
    .filter((token) => token !== '');

/** The text of finished entries. */
export const joinTokens = (tokens: readonly string[]): string =>
  tokens.map((token) => `${token}\n`).join('');
