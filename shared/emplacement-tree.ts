import { MAX_NIVEAUX, type Emplacement } from './emplacements.ts';
import { partsOf, searchForm, textKey } from './text.ts';

/** Between the names of a path that is shown. */
const SEPARATOR = ' › ';
/** Between the names of a path that is typed or read from a file. */
const TYPED_SEPARATOR = /[>›»→]/u;

/**
 * The locations of a household as a tree, on the server and on devices (docs/rules.md § 51). A replica may have half
 * of a move, and a file anything: a location with an unknown parent, in a cycle or too deep is on the first level.
 */
export class EmplacementTree {
  readonly #known: ReadonlyMap<number, Emplacement>;
  readonly #children = new Map<number | null, Emplacement[]>();
  readonly #all: Emplacement[] = [];
  /** The index of each in `all`, and its path from the outermost to itself. */
  readonly #nodes = new Map<number, { index: number; path: readonly Emplacement[] }>();
  /** The normalised names and notes, created by the first search, since each keystroke reads them all. */
  #texts: ReadonlyMap<number, string> | null = null;

  constructor(emplacements: Iterable<Emplacement>) {
    const sorted = [...emplacements].sort((a, b) => a.rang - b.rang || a.id - b.id);
    this.#known = new Map(sorted.map((each) => [each.id, each]));
    for (const each of sorted) this.#childrenOf(this.#parentOf(each)).push(each);
    for (const root of this.#childrenOf(null)) this.#visit(root, []);
    for (const each of sorted) {
      if (this.#nodes.has(each.id)) continue;
      this.#childrenOf(null).push(each);
      this.#visit(each, []);
    }
  }

  /** Depth first, in the chosen order. */
  get all(): readonly Emplacement[] {
    return this.#all;
  }

  get(id: number): Emplacement | undefined {
    return this.#known.get(id);
  }

  /** The children of a location in order; `null` for the first level. */
  children(id: number | null): readonly Emplacement[] {
    return this.#children.get(id) ?? [];
  }

  /** The ancestors from the outermost one to the location itself; empty for an unknown one. */
  path(id: number | null): readonly Emplacement[] {
    return (id !== null && this.#nodes.get(id)?.path) || [];
  }

  /** « Salon › Couloir › Étagère 3 »; '' for an unknown one. */
  pathText(id: number | null): string {
    return (
      this.path(id)
        // An older name may contain the path's separator.
        .map(({ nom }) => nom.replace(/[>›»→]+/gu, '/'))
        .join(SEPARATOR)
    );
  }

  indexOf(id: number): number | undefined {
    return this.#nodes.get(id)?.index;
  }

  /** The ids of a location and its descendants; empty for an unknown one. */
  within(id: number): ReadonlySet<number> {
    const own = this.#nodes.get(id);
    if (own === undefined) return new Set();
    const rest = this.#all.slice(own.index);
    const end = rest.findIndex((each, i) => i > 0 && this.path(each.id).length <= own.path.length);
    return new Set((end < 0 ? rest : rest.slice(0, end)).map((each) => each.id));
  }

  /** The number of levels from a location down to its deepest descendant. */
  heightOf(id: number): number {
    const own = this.path(id).length;
    // A loop, since a room may have more locations than a call takes arguments.
    return [...this.within(id)].reduce(
      (height, each) => Math.max(height, this.path(each).length - own + 1),
      0,
    );
  }

  /** Why a location must not be in another one, or on the first level (`null`). */
  obstacleTo(id: number | null, parentId: number | null): 'inItself' | 'tooDeep' | null {
    if (id !== null && parentId !== null && this.within(id).has(parentId)) return 'inItself';
    const height = id === null ? 1 : this.heightOf(id);
    return this.path(parentId).length + height > MAX_NIVEAUX ? 'tooDeep' : null;
  }

  /** The child with a name, in any spelling, other than the one with the id `besides`. */
  named(parentId: number | null, nom: string, besides?: number | null): Emplacement | undefined {
    const key = textKey(nom);
    return this.children(parentId).find((each) => each.id !== besides && textKey(each.nom) === key);
  }

  /**
   * The locations with every word of a query in the names and notes of their path, and at least one in their own: «
   * salon 3 » finds the shelf, « salon » only the room.
   */
  search(recherche: string): readonly Emplacement[] {
    const words = searchForm(recherche)
      .split(' ')
      .filter((word) => word !== '');
    const texts = (this.#texts ??= new Map(
      this.#all.map(({ id, nom, note }) => [id, searchForm([nom, note].join(' '))]),
    ));
    const has = ({ id }: Emplacement, word: string) => texts.get(id)?.includes(word) === true;
    return this.#all.filter(
      (each) =>
        words.some((word) => has(each, word)) &&
        words.every((word) => this.path(each.id).some((around) => has(around, word))),
    );
  }

  /** The number of books in each location and its descendants, from those directly in each. */
  totals(direct: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
    const totals = new Map<number, number>();
    for (const [id, count] of direct)
      for (const each of this.path(id)) totals.set(each.id, (totals.get(each.id) ?? 0) + count);
    return totals;
  }

  #parentOf({ parentId }: Emplacement): number | null {
    return parentId !== null && this.#known.has(parentId) ? parentId : null;
  }

  #childrenOf(id: number | null): Emplacement[] {
    const children = this.#children.get(id) ?? [];
    this.#children.set(id, children);
    return children;
  }

  #visit(emplacement: Emplacement, above: readonly Emplacement[]): void {
    if (this.#nodes.has(emplacement.id)) return;
    const path = [...above, emplacement];
    this.#nodes.set(emplacement.id, { index: this.#all.length, path });
    this.#all.push(emplacement);
    if (path.length < MAX_NIVEAUX)
      for (const child of this.children(emplacement.id)) this.#visit(child, path);
  }
}

/** The names of a path that a person or a program has written: « Salon > Étagère 3 ». */
export const namesOfPath = (text: string): string[] => partsOf(text, TYPED_SEPARATOR);
