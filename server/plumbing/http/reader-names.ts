import { nfc } from '#shared/text';

const keyOf = (name: string): string => nfc(name).toLowerCase();

/**
 * Gives each reader a single spelling, whatever case a sign-on uses: the database's, else the first since the start
 * (docs/rules.md § 1). Two spellings that the database already distinguishes stay two readers.
 */
export class ReaderNames {
  readonly #spellings: Map<string, string[]>;

  /** @param known the names by which the database knows readers */
  constructor(known: readonly string[]) {
    this.#spellings = Map.groupBy(known, keyOf);
  }

  spellingOf(name: string): string {
    const key = keyOf(name);
    const spellings = this.#spellings.get(key);
    if (spellings?.includes(name) === true) return name;
    const [first] = spellings ?? [];
    if (first === undefined) this.#spellings.set(key, [name]);
    return first ?? name;
  }

  /** The readers of the database who differ in case alone. */
  get lookalikes(): readonly (readonly string[])[] {
    return [...this.#spellings.values()].filter(({ length }) => length > 1);
  }
}
