import type { MaybeDeleted } from './catalogue.ts';
import { numeroDateKey } from './numero-date.ts';
import type { Numero, NumeroCriteres } from './numeros.ts';
import type { Revue } from './revues.ts';
import { SortedList } from './sorted-list.ts';
import { compareText, searchForm, textKey } from './text.ts';

/** An issue whose searched text is normalised lazily, by the first search. */
class Entry {
  readonly numero: Numero;
  /** The sort key of its date; '' without one. */
  readonly date: string;
  #text: string | undefined;
  #themeKeys: ReadonlySet<string> | undefined;

  constructor(numero: Numero) {
    this.numero = numero;
    this.date = numeroDateKey(numero.date ?? '') ?? '';
  }

  /** The searched fields, normalised, one a line, so that no word of a query spans two. */
  get text(): string {
    const { numero, une, resume, themes, articles } = this.numero;
    return (this.#text ??= [numero, une, resume, ...themes, ...articles]
      .filter((line) => line !== null)
      .map(searchForm)
      .join('\n'));
  }

  get themeKeys(): ReadonlySet<string> {
    return (this.#themeKeys ??= new Set(this.numero.themes.map(textKey)));
  }
}

/**
 * The household's periodicals and issues in memory, on the server and on every device alike. Takes changes of the
 * collections `revues` and `numeros` in any order, and answers criteria without reading any store.
 */
export class NumeroIndex {
  readonly #revues = new Map<number, { readonly revue: Revue; readonly titre: string }>();
  readonly #entries = new Map<number, Entry>();
  /** Every issue, newest first. */
  readonly #sorted = new SortedList(byDate);

  /** By title, then id. */
  get revues(): Revue[] {
    return [...this.#revues.values()]
      .sort((a, b) => compareText(a.titre, b.titre) || a.revue.id - b.revue.id)
      .map(({ revue }) => revue);
  }

  revue(id: number): Revue | undefined {
    return this.#revues.get(id)?.revue;
  }

  numero(id: number): Numero | undefined {
    return this.#entries.get(id)?.numero;
  }

  /** Newest first. */
  numerosOf(revueId: number): Numero[] {
    return this.#find(({ numero }) => numero.revueId === revueId);
  }

  /**
   * The issues with the theme, and with every word of the query in the periodical's title, the number, front page,
   * summary, themes or articles; newest first. A query without a letter or digit matches all (docs/rules.md § 20).
   */
  search({ recherche = '', theme = '' }: NumeroCriteres): Numero[] {
    const words = searchForm(recherche).split(' ');
    const key = textKey(theme);
    return this.#find((entry) => {
      if (key !== '' && !entry.themeKeys.has(key)) return false;
      const titre = this.#revues.get(entry.numero.revueId)?.titre ?? '';
      return words.every(
        (word) => word === '' || entry.text.includes(word) || titre.includes(word),
      );
    });
  }

  applyRevues(changes: Iterable<MaybeDeleted<Revue>>): void {
    for (const change of changes) {
      if (change._deleted) this.#revues.delete(change.id);
      else this.#revues.set(change.id, { revue: change, titre: searchForm(change.titre) });
    }
  }

  applyNumeros(changes: Iterable<MaybeDeleted<Numero>>): void {
    for (const change of changes) {
      const previous = this.#entries.get(change.id);
      const next = change._deleted ? undefined : entryOf(change);
      if (previous === next) continue;
      if (previous !== undefined) this.#sorted.remove(previous);
      this.#entries.delete(change.id);
      if (next === undefined) continue;
      this.#sorted.add(next);
      this.#entries.set(change.id, next);
    }
  }

  /** Sorts a part in advance; returns whether any was left. */
  sortNextChunk(): boolean {
    return this.#sorted.sortNextChunk();
  }

  #find(accepts: (entry: Entry) => boolean): Numero[] {
    return this.#sorted.items.filter(accepts).map(({ numero }) => numero);
  }
}

const known = new WeakMap<Numero, Entry>();

function entryOf(numero: Numero): Entry {
  const entry = known.get(numero) ?? new Entry(numero);
  known.set(numero, entry);
  return entry;
}

/** A year comes after its months, a month after its days; issues without a date come last. */
const byDate = (a: Entry, b: Entry): number =>
  compareText(b.date, a.date) || a.numero.id - b.numero.id;
