/** The state of a text field with a list of suggestions: what is shown and which one is active. */
export class Combobox<T> {
  #isExpanded = $state(false);
  #activeIndex = $state(-1);
  readonly #suggest: () => readonly T[];
  /** The active position at the opening. */
  readonly #initialIndex: number;
  readonly options = $derived.by(() => (this.#isExpanded ? this.#suggest() : []));

  /**
   * @param suggest the options for what is typed, the likeliest first
   * @param activateFirst true where the first option is active without an arrow key
   */
  constructor(suggest: () => readonly T[], activateFirst = false) {
    this.#suggest = suggest;
    this.#initialIndex = activateFirst ? 0 : -1;
  }

  get isOpen(): boolean {
    return this.options.length > 0;
  }

  /** The position of the active option, -1 for none. */
  get activeIndex(): number {
    return this.#activeIndex;
  }

  get active(): T | undefined {
    return this.options[this.#activeIndex];
  }

  open(): void {
    this.#isExpanded = true;
    this.#activeIndex = this.#initialIndex;
  }

  close(): void {
    this.#isExpanded = false;
    this.#activeIndex = -1;
  }

  /** Handles the arrow keys and Escape; returns true when the key was used. */
  handleKey({ key, altKey }: KeyboardEvent): boolean {
    if (!this.isOpen || altKey) return false;
    const count = this.options.length;
    if (key === 'ArrowDown') this.#activeIndex = (this.#activeIndex + 1) % count;
    else if (key === 'ArrowUp')
      this.#activeIndex = (this.#activeIndex <= 0 ? count : this.#activeIndex) - 1;
    else if (key === 'Escape') this.close();
    else return false;
    return true;
  }

  /** The ARIA attributes of the text field whose list has the id `listId`. */
  attributes(listId: string) {
    return {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': this.isOpen,
      'aria-controls': listId,
      'aria-activedescendant':
        this.active === undefined ? undefined : `${listId}-${this.#activeIndex}`,
      autocomplete: 'off',
    } as const;
  }
}
