import { EmplacementTree } from '#shared/emplacement-tree';
import { MAX_NIVEAUX, type Emplacement } from '#shared/emplacements';
import type { Database } from '#server/database/database';
import type { Restoring } from '#server/records/kind';
import { readTree } from './emplacements.ts';
import * as store from '../store.ts';

/** A location is found by its name in its parent; one that would be too deep stands beside that one. */
export const emplacementRestoring: Restoring<Emplacement> = {
  add(database, records, { idsOf }) {
    const ids = idsOf('emplacements');
    // A parent may have been made after what it holds now.
    return new EmplacementTree(records).all.flatMap(({ id, rang: _, ...emplacement }) => {
      const parentId = ids.get(emplacement.parentId ?? 0) ?? null;
      const made = findOrCreate(database, { ...emplacement, parentId });
      ids.set(id, made.id);
      return made.isNew ? { id: made.id } : [];
    });
  },
  remove: removeEmpty,
  fields: ['nom', 'parentId', 'note', 'fermeLe'],
};

/** The location of a path of names, and the ids of those that were made for it, the outermost first. */
export function findOrCreatePath(
  database: Database,
  noms: readonly string[],
): { id: number | null; made: number[] } {
  let id: number | null = null;
  const made: number[] = [];
  for (const nom of noms) {
    const found = findOrCreate(database, { nom, parentId: id, note: null, fermeLe: null });
    if (found.isNew) made.push(found.id);
    id = found.id;
  }
  return { id, made };
}

function findOrCreate(
  database: Database,
  emplacement: store.EmplacementFields,
): { id: number; isNew: boolean } {
  const tree = readTree(database);
  const path = tree.path(emplacement.parentId);
  const parentId = path.at(MAX_NIVEAUX - 2)?.id ?? emplacement.parentId;
  const known = tree.named(parentId, emplacement.nom);
  return known === undefined
    ? { id: store.insertEmplacement(database, { ...emplacement, parentId }), isNew: true }
    : { id: known.id, isNew: false };
}

function removeEmpty(database: Database, id: number): void {
  const isEmpty = readTree(database).children(id).length === 0 && !store.holdsLivres(database, id);
  if (isEmpty) store.deleteEmplacement(database, id);
}
