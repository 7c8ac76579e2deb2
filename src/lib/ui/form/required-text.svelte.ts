import type { Refusal } from '$lib/api/call';
import type { FormEntry } from './form.svelte.ts';
import { errorsOf, type FieldWithRefusals } from './refused.ts';

/**
 * The text of a field that may not be empty: once an empty one is submitted, or the text is refused, the field says so until
 * somebody types.
 */
export class RequiredText implements FormEntry {
  #typed = $state<string | null>(null);
  #isMissing = $state(false);
  #refused = $state<string | null>(null);
  readonly #sentence: () => string;
  readonly #proposal: () => string;
  readonly #field: FieldWithRefusals | null;

  /**
   * @param proposal what stands in the field until somebody types
   * @param field the refusals that are told at it
   */
  constructor(sentence: () => string, proposal = () => '', field: FieldWithRefusals | null = null) {
    this.#sentence = sentence;
    this.#proposal = proposal;
    this.#field = field;
  }

  get text(): string {
    return this.#typed ?? this.#proposal();
  }

  set text(text: string) {
    this.#typed = text;
    this.#isMissing = false;
    this.#refused = null;
  }

  get error(): string | null {
    return this.#isMissing ? this.#sentence() : this.#refused;
  }

  check = (): boolean => {
    this.#refused = null;
    this.#isMissing = this.text.trim() === '';
    return !this.#isMissing;
  };

  showAtField = (refusal: Refusal | null): boolean => {
    const field = this.#field;
    this.#refused = field && (errorsOf(refusal, [field])[field.key] ?? null);
    return this.#refused !== null;
  };

  reset(): void {
    this.#typed = null;
    this.#isMissing = false;
    this.#refused = null;
  }
}
