/** The state of a text field that proposes values: which are shown, and which one is pointed at. */
export class Combo<T> {
  #deplie = $state(false);
  #designe = $state(-1);
  readonly #chercher: () => readonly T[];
  readonly propositions = $derived.by(() => (this.#deplie ? this.#chercher() : []));

  /** @param chercher what is proposed for what is typed, the likeliest first */
  constructor(chercher: () => readonly T[]) {
    this.#chercher = chercher;
  }

  get ouvert(): boolean {
    return this.propositions.length > 0;
  }

  /** The place of the one that the arrows have come to, -1 for none. */
  get designe(): number {
    return this.#designe;
  }

  /** The one that the arrows have come to. */
  get designee(): T | undefined {
    return this.propositions[this.#designe];
  }

  deplier(): void {
    this.#deplie = true;
    this.#designe = -1;
  }

  fermer(): void {
    this.#deplie = false;
    this.#designe = -1;
  }

  /** Takes the keys that move in the list or close it; tells whether it has taken this one. */
  taper({ key, altKey }: KeyboardEvent): boolean {
    if (!this.ouvert || altKey) return false;
    const nombre = this.propositions.length;
    if (key === 'ArrowDown') this.#designe = (this.#designe + 1) % nombre;
    else if (key === 'ArrowUp') this.#designe = (this.#designe <= 0 ? nombre : this.#designe) - 1;
    else if (key === 'Escape') this.fermer();
    else return false;
    return true;
  }

  /** What the field says of its list, whose id is `liste`. */
  attributs(liste: string) {
    return {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': this.ouvert,
      'aria-controls': liste,
      'aria-activedescendant': this.#designe < 0 ? undefined : `${liste}-${this.#designe}`,
      autocomplete: 'off',
    } as const;
  }
}
