import { EmplacementTree, namesOfPath } from '#shared/emplacement-tree';
import { EmplacementSaisi, MAX_DEDANS, type Emplacement } from '#shared/emplacements';
import { MAX_LENGTHS } from '#shared/fields';
import { champRefusal, found, Refusal } from '#shared/refusals';
import { textKey } from '#shared/text';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { enteredFields, enteredInstant } from '#server/plumbing/common/entry';
import { isReordering } from '#server/plumbing/common/order';
import type { Breach } from '#server/plumbing/records/kind';
import * as store from '../store.ts';

/** The longest name of a deleted location behind those that stood in it, in code points. */
const MAX_SUFFIX = 60;

export const readTree = (database: Reader): EmplacementTree =>
  new EmplacementTree(store.listEmplacements(database));

/** One location. Throws `INTROUVABLE`. */
export const lireEmplacement = (database: Reader, id: number): Emplacement =>
  found(readTree(database).get(id));

/** Throws where a location that a book is put into is not there, or no longer. */
export function requireEmplacement(database: Reader, id: number | null): void {
  if (id !== null && !store.emplacementExists(database, id))
    throw champRefusal('emplacementId', 'n’est pas un emplacement, ou n’en est plus un');
}

/**
 * Adds a location, the last in its parent. A path (« Salon › Étagère 3 ») adds what is missing of it; its note and
 * its packing are the innermost one's. Throws what `enteredIn` throws.
 */
export function ajouterEmplacement(database: Transaction, saisi: EmplacementSaisi): Emplacement {
  const names = namesOfPath(saisi.nom);
  const nom = names.pop() ?? saisi.nom;
  let parentId = saisi.parentId ?? null;
  for (const around of names) {
    const tree = readTree(database);
    parentId = tree.named(parentId, around)?.id ?? insert(database, { nom: around, parentId });
  }
  return lireEmplacement(database, insert(database, { ...saisi, nom, parentId }));
}

const insert = (database: Transaction, saisi: EmplacementSaisi): number =>
  store.insertEmplacement(database, enteredIn(readTree(database), null, saisi));

/** Rewrites a location, and moves it with all that stands in it. Throws what `enteredIn` throws. */
export function modifierEmplacement(
  database: Transaction,
  id: number,
  saisi: EmplacementSaisi,
): Emplacement {
  const tree = readTree(database);
  found(tree.get(id));
  store.updateEmplacement(database, id, enteredIn(tree, id, saisi));
  return lireEmplacement(database, id);
}

/**
 * Deletes a location; books and locations in it go to its parent, or to none and to the first level. One
 * whose name is taken there is told by the deleted one's: « Étagère 3 (Couloir) » (docs/rules.md § 51).
 */
export function supprimerEmplacement(database: Transaction, id: number): void {
  const tree = readTree(database);
  const { nom, parentId } = found(tree.get(id));
  store.moveLivres(database, id, parentId);
  const names = namesBeside(tree.children(parentId), tree.children(id), nom);
  for (const { id: childId, rang: _, ...child } of tree.children(id))
    store.updateEmplacement(database, childId, {
      ...child,
      nom: names.get(childId) ?? child.nom,
      parentId,
    });
  store.deleteEmplacement(database, id);
}

/** The names that locations get beside others, where their own are taken there. */
function namesBeside(
  others: readonly Emplacement[],
  coming: readonly Emplacement[],
  from: string,
): Map<number, string> {
  const taken = new Set(others.map(({ nom }) => textKey(nom)));
  const renamed = coming.filter(({ nom }) => taken.has(textKey(nom)));
  for (const { nom } of coming) taken.add(textKey(nom));
  const names = new Map<number, string>();
  const short = Array.from(from).slice(0, MAX_SUFFIX).join('');
  for (const { id, nom } of renamed) {
    let name: string;
    let count = 1;
    do name = withSuffix(nom, count > 1 ? `${short} ${count}` : short);
    while (taken.has(textKey(name)) && count++ < MAX_DEDANS * 2);
    taken.add(textKey(name));
    names.set(id, name);
  }
  return names;
}

/** « Étagère 3 (Couloir) », within the longest name. */
function withSuffix(nom: string, from: string): string {
  const suffix = Array.from(` (${from})`);
  const kept = Array.from(nom).slice(0, MAX_LENGTHS.nom - suffix.length);
  return [...kept, ...suffix].join('');
}

/** Arranges the locations of a parent. Throws `LISTE_PERIMEE` unless the ids are all of them. */
export function ordonnerEmplacements(
  database: Transaction,
  parentId: number | null,
  ids: readonly number[],
): readonly Emplacement[] {
  const tree = readTree(database);
  if (parentId !== null) found(tree.get(parentId));
  const present = tree.children(parentId).map(({ id }) => id);
  if (!isReordering(present, ids)) throw new Refusal('LISTE_PERIMEE');
  store.writeOrder(database, ids);
  return readTree(database).children(parentId);
}

/**
 * What a person entered of a location, which is new where `id` is `null`. Throws `EMPLACEMENT_DEDANS`,
 * `EMPLACEMENT_PROFOND`, `EMPLACEMENT_EXISTANT`, and `REQUETE_INVALIDE` for a parent that is not there.
 */
function enteredIn(
  tree: EmplacementTree,
  id: number | null,
  saisi: EmplacementSaisi,
): store.EmplacementFields {
  const fields = enteredFields(EmplacementSaisi, saisi);
  const { nom, parentId } = fields;
  if (namesOfPath(nom).join() !== nom)
    throw champRefusal('nom', 'ne contient ni « › » ni « > », qui séparent les noms d’un chemin');
  if (parentId !== null && tree.get(parentId) === undefined)
    throw champRefusal('parentId', 'n’est pas un emplacement, ou n’en est plus un');
  const obstacle = tree.obstacleTo(id, parentId);
  if (obstacle !== null) throw new Refusal(OBSTACLES[obstacle]);
  const namesake = tree.named(parentId, nom, id);
  if (namesake !== undefined)
    throw new Refusal('EMPLACEMENT_EXISTANT', {
      emplacement: { id: namesake.id, nom: namesake.nom },
    });
  const { fermeLe } = fields;
  return {
    ...fields,
    fermeLe: fermeLe === null ? null : enteredInstant(fermeLe, 'fermeLe').toISOString(),
  };
}

const OBSTACLES = {
  inItself: 'EMPLACEMENT_DEDANS',
  tooDeep: 'EMPLACEMENT_PROFOND',
} as const;

/** Why a location cannot be where taking an act back would have it; `null` where it can. */
export function findBreach(database: Reader, id: number, parentId: unknown): Breach | null {
  // Taken out first: the tree of a circle would not be that of its rows.
  const tree = new EmplacementTree(
    store
      .listEmplacements(database)
      .map((each) => (each.id === id ? { ...each, parentId: null } : each)),
  );
  const parent = typeof parentId === 'number' ? parentId : null;
  const obstacle = tree.obstacleTo(id, parent);
  if (obstacle === null) return null;
  const around = [...tree.path(parent).map((each) => each.id), ...tree.within(id)];
  return { raison: BREACHES[obstacle], rows: around.map((each) => ['Emplacement', each]) };
}

const BREACHES = {
  inItself: 'L’emplacement a été rangé ailleurs depuis.',
  tooDeep: 'L’emplacement serait trop profond.',
};
