import type { Refusal } from '$lib/api/call';
import type { FormEntry } from './form.svelte.ts';
import { errorsOf, type FieldWithRefusals } from './refused.ts';

/** A required text: after an empty submit or a refusal the field shows the error until somebody types. */
export class RequiredText implements FormEntry {
  #typed = $state<string | null>(null);
  #isMissing = $state(false);
  #refused = $state<string | null>(null);
  readonly #sentence: () => string;
  readonly #proposal: () => string;
  readonly #field: FieldWithRefusals | null;

  /**
   * @param proposal the initial text until somebody types
   * @param field the refusals shown at it
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
