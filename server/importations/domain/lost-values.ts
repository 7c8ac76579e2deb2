import type { Cell } from './formats/table-format.ts';

/** What programs keep of a book and the household does not, by the headers of its columns. */
const KINDS: readonly (readonly [kind: string, headers: readonly string[]])[] = [
  ['note', ['my rating', 'star rating', 'rating', 'note']],
  ['critique', ['my review', 'review', 'critique']],
  ['remarque', ['private notes', 'notes']],
  ['étiquette', ['tags']],
];

/** Counts what a table brings and the household does not keep. */
export class LostValues {
  readonly #counts = new Map<string, number>();

  /** @param cell the cells of one row */
  take(cell: Cell): void {
    for (const [kind, headers] of KINDS)
      if (headers.some((header) => !/^0?(?:[.,]0+)?$/.test(cell(header))))
        this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** « 376 notes et 12 critiques ne sont pas reprises »; nothing where nothing is lost. */
  get told(): string[] {
    const counts = [...this.#counts];
    if (counts.length === 0) return [];
    const isOne = counts.length === 1 && counts[0]?.[1] === 1;
    const parts = counts.map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`);
    const list = new Intl.ListFormat('fr').format(parts);
    return [`${list} ${isOne ? 'n’est pas reprise' : 'ne sont pas reprises'}`];
  }
}
