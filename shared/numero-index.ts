import type { MaybeDeleted } from './catalogue.ts';
import { numeroDateKey } from './numero-date.ts';
import type { Numero, NumeroCriteres } from './numeros.ts';
import type { Revue } from './revues.ts';
import { SortedList } from './sorted-list.ts';
import { compareText, searchForm, textKey } from './text.ts';

interface Entry {
  readonly numero: Numero;
  /** The searched fields, normalised, one a line, so that no word of a query spans two. */
  readonly text: string;
  readonly themeKeys: ReadonlySet<string>;
  /** The sort key of its date; '' without one. */
  readonly date: string;
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
   * The issues that have the theme asked for, and every word of the query in the title of their periodical, their
   * number, front page, summary, themes or articles; newest first. A query without a letter or digit matches all
   * (docs/rules.md § 20).
   */
  search({ recherche = '', theme = '' }: NumeroCriteres): Numero[] {
    const words = searchForm(recherche).split(' ');
    const key = textKey(theme);
    return this.#find(({ numero, text, themeKeys }) => {
      if (key !== '' && !themeKeys.has(key)) return false;
      const titre = this.#revues.get(numero.revueId)?.titre ?? '';
      return words.every((word) => text.includes(word) || titre.includes(word));
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

  /** Does some of the sorting that a list would do at once; says whether there was any. */
  settleSome(): boolean {
    return this.#sorted.settleSome();
  }

  #find(accepts: (entry: Entry) => boolean): Numero[] {
    return this.#sorted.items.filter(accepts).map(({ numero }) => numero);
  }
}

const known = new WeakMap<Numero, Entry>();

function entryOf(numero: Numero): Entry {
  const entry = known.get(numero) ?? createEntry(numero);
  known.set(numero, entry);
  return entry;
}

function createEntry(numero: Numero): Entry {
  const { une, resume, themes, articles } = numero;
  const lines = [numero.numero, une, resume, ...themes, ...articles];
  return {
    numero,
    text: lines
      .filter((line) => line !== null)
      .map(searchForm)
      .join('\n'),
    themeKeys: new Set(themes.map(textKey)),
    date: numeroDateKey(numero.date ?? '') ?? '',
  };
}

/** A year comes after its months, a month after its days; issues without a date come last. */
const byDate = (a: Entry, b: Entry): number =>
  compareText(b.date, a.date) || a.numero.id - b.numero.id;
