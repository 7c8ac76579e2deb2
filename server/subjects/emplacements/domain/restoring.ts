import { EmplacementTree } from '#shared/emplacement-tree';
import { MAX_NIVEAUX, type Emplacement } from '#shared/emplacements';
import { textKey } from '#shared/text';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Restoring } from '#server/plumbing/records/kind';
import { readTree } from './emplacements.ts';
import * as store from '../store.ts';

/** A location is found by its name in its parent. */
export const emplacementRestoring: Restoring<Emplacement> = {
  add(database, records, { idsOf }) {
    const ids = idsOf('emplacements');
    const finder = new LocationFinder(database);
    // A parent may have been made after what it holds now.
    return new EmplacementTree(records).all.flatMap(({ id, rang: _, ...emplacement }) => {
      const parentId = ids.get(emplacement.parentId ?? 0) ?? null;
      const made = finder.findOrCreate({ ...emplacement, parentId });
      ids.set(id, made.id);
      return made.isNew ? { id: made.id } : [];
    });
  },
  remove: removeEmpty,
  fields: ['nom', 'parentId', 'note', 'fermeLe'],
};

/** Finds locations by their names, and makes those that are unknown; the tree is read once for all. */
export class LocationFinder {
  readonly #database: Transaction;
  /** The id of each by its parent's id and the key of its name. */
  readonly #ids = new Map<string, number>();
  /** The ids from the outermost to each. */
  readonly #paths = new Map<number, readonly number[]>();

  constructor(database: Transaction) {
    this.#database = database;
    const tree = readTree(database);
    for (const { id, nom, parentId } of tree.all) this.#note(id, parentId, nom);
  }

  /** The location of a path of names, and the ids of those that were made for it, the outermost first. */
  findOrCreatePath(noms: readonly string[]): { id: number | null; made: number[] } {
    let id: number | null = null;
    const made: number[] = [];
    for (const nom of noms) {
      const found = this.findOrCreate({ nom, parentId: id, note: null, fermeLe: null });
      if (found.isNew) made.push(found.id);
      id = found.id;
    }
    return { id, made };
  }

  /** One that would be too deep stands beside its parent. */
  findOrCreate(emplacement: store.EmplacementFields): { id: number; isNew: boolean } {
    const { nom } = emplacement;
    const path = this.#pathOf(emplacement.parentId);
    const parentId = path.at(MAX_NIVEAUX - 2) ?? emplacement.parentId;
    const known = this.#ids.get(keyOf(parentId, nom));
    if (known !== undefined) return { id: known, isNew: false };
    const id = store.insertEmplacement(this.#database, { ...emplacement, parentId });
    this.#note(id, parentId, nom);
    return { id, isNew: true };
  }

  #note(id: number, parentId: number | null, nom: string): void {
    this.#ids.set(keyOf(parentId, nom), id);
    this.#paths.set(id, [...this.#pathOf(parentId), id]);
  }

  #pathOf(id: number | null): readonly number[] {
    return (id !== null && this.#paths.get(id)) || [];
  }
}

const keyOf = (parentId: number | null, nom: string): string =>
  `${String(parentId)}\n${textKey(nom)}`;

function removeEmpty(database: Transaction, id: number): void {
  const isEmpty = !store.holdsEmplacements(database, id) && !store.holdsLivres(database, id);
  if (isEmpty) store.deleteEmplacement(database, id);
}
