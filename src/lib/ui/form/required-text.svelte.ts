/** The text of a field that may not be empty: once an empty one is submitted, the field says so until somebody types. */
export class RequiredText {
  #typed = $state<string | null>(null);
  #isMissing = $state(false);
  readonly #sentence: () => string;
  readonly #proposal: () => string;

  /** @param proposal what stands in the field until somebody types */
  constructor(sentence: () => string, proposal = () => '') {
    this.#sentence = sentence;
    this.#proposal = proposal;
  }

  get text(): string {
    return this.#typed ?? this.#proposal();
  }

  set text(text: string) {
    this.#typed = text;
    this.#isMissing = false;
  }

  get error(): string | null {
    return this.#isMissing ? this.#sentence() : null;
  }

  check = (): boolean => {
    this.#isMissing = this.text.trim() === '';
    return !this.#isMissing;
  };

  reset(): void {
    this.#typed = null;
    this.#isMissing = false;
  }
}
