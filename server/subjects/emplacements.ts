import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import { EmplacementTree, namesOfPath } from '#shared/emplacement-tree';
import * as api from '#shared/emplacements';
import { Emplacement, EmplacementSaisi, MAX_DEDANS, MAX_NIVEAUX } from '#shared/emplacements';
import { MAX_LENGTHS } from '#shared/fields';
import { champRefusal, found, Refusal } from '#shared/refusals';
import { textKey } from '#shared/text';
import {
  enteredFields,
  enteredInstant,
  isReordering,
  requireFormat,
} from '#server/plumbing/common/entry';
import {
  documentProjection,
  insertRow,
  readDocuments,
  updateRow,
  updateRows,
  renewedLine,
  renewRows,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { PLACES_A_RECORD } from '#server/plumbing/writes/orders';
import type { RuleViolation, RecordKind, Restore } from '#server/plumbing/records/kind';

export const projection = documentProjection('Emplacement', Emplacement, { rang: 'd.position' });

export const readTree = (database: Reader): EmplacementTree =>
  new EmplacementTree(readDocuments(database, projection, ''));

type Fields = Omit<Emplacement, 'id' | 'rang'>;

const keysOf = ({ nom }: { readonly nom: string }) => ({ nomNormalise: textKey(nom) });

/** The position after all children of `@parentId`. */
const LAST_POSITION = `(SELECT coalesce(max(position) + 1, 0) FROM Emplacement
  WHERE parentId IS @parentId)`;

/** Values that a restored location had before; without a `position` it becomes the last of its parent. */
interface Former {
  readonly id?: number | null;
  readonly position?: number | undefined;
}

const insertEmplacement = (
  tx: Transaction,
  fields: Fields,
  { id = null, position }: Former = {},
): number => {
  const columns = { id, ...fields, ...keysOf(fields) };
  return position === undefined
    ? insertRow(tx, 'Emplacement', columns, { position: LAST_POSITION })
    : insertRow(tx, 'Emplacement', { ...columns, position });
};

/** A location with a new parent becomes its last child. */
const updateEmplacement = (tx: Transaction, id: number, fields: Fields): void =>
  updateRow(
    tx,
    'Emplacement',
    id,
    { ...fields, ...keysOf(fields) },
    { position: `CASE WHEN parentId IS @parentId THEN position ELSE ${LAST_POSITION} END` },
  );

/** Finds a location of an export by its name in its parent; in a household without locations all keep their positions. */
export const restore: Restore<Emplacement> = (tx, records, { idsOf, ownId }) => {
  const ids = idsOf('emplacements');
  const isFirst = readTree(tx).all.length === 0;
  const made: { id: number }[] = [];
  const finder = new LocationFinder(tx, (id) => made.push({ id }));
  // A parent may come after its children in `records`; `all` has it first.
  for (const { id, rang, ...emplacement } of new EmplacementTree(records).all) {
    const parentId = ids.get(emplacement.parentId ?? 0) ?? null;
    const former = () => ({
      id: ownId('Emplacement', id),
      position: isFirst ? rang : undefined,
    });
    ids.set(id, finder.findOrCreate({ ...emplacement, parentId }, former));
  }
  return made;
};

export const kind: RecordKind<'emplacements'> = {
  projection,
  naming: {
    column: 'nom',
    subject: m.reason_sujet_emplacement,
    changed: m.reason_emplacement_modifie,
    deleted: m.reason_emplacement_supprime,
  },
  tables: {
    Emplacement: {
      derived: ['nomNormalise'],
      order: { list: 'Emplacement', parent: 'parentId', hasTop: true, columns: ['position'] },
      findRuleViolation: (database, { id, parentId }) =>
        findRuleViolation(database, Number(id), parentId),
      reasons: {
        added: () => m.reason_emplacement_range_dedans(),
        taken: () => m.reason_emplacement_meme_nom(),
        gone: m.reason_emplacement_supprime,
      },
    },
  },
  exports: {
    emplacements: { projection, label: m.export_label_emplacements, restore },
  },
  renormaliser: (tx) =>
    renewRows<{ id: number; nom: string; nomNormalise: string }>(tx, 'Emplacement', (one) => {
      const nom = renewedLine(one.nom);
      return { nom, ...keysOf({ nom }) };
    }),
};

/** Queries rows instead of the tree, which cannot represent a cycle; one modification may move two thousand rows. */
function findRuleViolation(database: Reader, id: number, parentId: unknown): RuleViolation | null {
  if (typeof parentId !== 'number') return null;
  const within = database.all<Level>(WITHIN, id);
  const height = within.reduce((most, { level }) => Math.max(most, level), 0);
  const path = database.values<number>(PATH, parentId);
  const isInItself = path.includes(id);
  if (!isInItself && path.length + height <= MAX_NIVEAUX) return null;
  const around = [...path, ...within.map((each) => each.id)];
  return {
    raison: isInItself ? VIOLATIONS.inItself() : VIOLATIONS.tooDeep(),
    rows: around.map((each) => ['Emplacement', each]),
  };
}

interface Level {
  readonly id: number;
  readonly level: number;
}

/** A location with its descendants, limited to one level beyond the maximum: rows may form a cycle. */
const WITHIN = `WITH RECURSIVE Within (id, level) AS (
    VALUES (?, 1)
    UNION
    SELECT e.id, level + 1 FROM Within w JOIN Emplacement e ON e.parentId = w.id
      WHERE level <= ${MAX_NIVEAUX})
  SELECT id, level FROM Within`;

/** A location with its ancestors. */
const PATH = `WITH RECURSIVE Around (id) AS (
    VALUES (?)
    UNION
    SELECT parentId FROM Around JOIN Emplacement USING (id) WHERE parentId IS NOT NULL)
  SELECT id FROM Around`;

const VIOLATIONS = {
  inItself: m.reason_emplacement_ailleurs,
  tooDeep: m.reason_emplacement_profond,
};

export function requireEmplacement(database: Reader, id: number | null): void {
  if (id !== null && database.value('SELECT 1 FROM Emplacement WHERE id = ?', id) === undefined)
    throw champRefusal('emplacementId', 'PAS_EMPLACEMENT');
}

/**
 * `id` is `null` for a new location. Throws `EMPLACEMENT_DEDANS`, `EMPLACEMENT_PROFOND`, `EMPLACEMENT_EXISTANT`, and
 * `REQUETE_INVALIDE` for an unknown parent.
 */
function enteredIn(tree: EmplacementTree, id: number | null, saisi: EmplacementSaisi): Fields {
  const fields = enteredFields(EmplacementSaisi, saisi);
  const { nom, parentId, fermeLe } = fields;
  requireFormat('emplacement-nom', nom, 'nom');
  if (parentId !== null && tree.get(parentId) === undefined)
    throw champRefusal('parentId', 'PAS_EMPLACEMENT');
  const obstacle = tree.obstacleTo(id, parentId);
  if (obstacle !== null)
    throw new Refusal(obstacle === 'inItself' ? 'EMPLACEMENT_DEDANS' : 'EMPLACEMENT_PROFOND');
  const namesake = tree.named(parentId, nom, id);
  if (namesake !== undefined)
    throw new Refusal('EMPLACEMENT_EXISTANT', {
      emplacement: { id: namesake.id, nom: namesake.nom },
    });
  return {
    ...fields,
    fermeLe: fermeLe === null ? null : enteredInstant(fermeLe, 'fermeLe').toISOString(),
  };
}

/**
 * Adds a location as the last child of its parent. A path (« Salon › Étagère 3 ») adds its missing levels; note and
 * packing belong to the innermost one. Throws like `enteredIn`.
 */
export function ajouterEmplacement(tx: Transaction, saisi: EmplacementSaisi): Emplacement {
  const insert = (entered: EmplacementSaisi) =>
    insertEmplacement(tx, enteredIn(readTree(tx), null, entered));
  const names = namesOfPath(saisi.nom);
  const nom = names.pop() ?? saisi.nom;
  let parentId = saisi.parentId ?? null;
  for (const around of names)
    parentId = readTree(tx).named(parentId, around)?.id ?? insert({ nom: around, parentId });
  const id = insert({ ...saisi, nom, parentId });
  return found(readTree(tx).get(id));
}

/**
 * Deletes a location. Its books and locations move to its parent, or to none and the first level; if a name is taken
 * there the deleted location's is appended: « Étagère 3 (Couloir) » (docs/rules.md § 51).
 */
function supprimerEmplacement(tx: Transaction, id: number): void {
  const tree = readTree(tx);
  const { nom, parentId } = found(tree.get(id));
  tx.run('UPDATE Livre SET emplacementId = ?, rang = NULL WHERE emplacementId = ?', parentId, id);
  const names = namesBeside(tree.children(parentId), tree.children(id), nom);
  for (const { id: childId, rang: _, ...child } of tree.children(id))
    updateEmplacement(tx, childId, { ...child, nom: names.get(childId) ?? child.nom, parentId });
  tx.run('DELETE FROM Emplacement WHERE id = ?', id);
}

const MAX_SUFFIX = 60;

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

/** Throws `LISTE_PERIMEE` unless the ids are exactly the children of the parent. */
function ordonner(tx: Transaction, parentId: number | null, ids: readonly number[]): Emplacement[] {
  const tree = readTree(tx);
  if (parentId !== null) found(tree.get(parentId));
  const present = tree.children(parentId).map(({ id }) => id);
  if (!isReordering(present, ids)) throw new Refusal('LISTE_PERIMEE');
  updateRows(
    tx,
    'Emplacement',
    ['position'],
    [...ids.entries()].map(([position, id]) => [id, position]),
  );
  return [...readTree(tx).children(parentId)];
}

const ordre = operation(api.ordonnerEmplacements, {
  may: 'household',
  holder: 'rangement',
  size: (_, { body }) => body.ids.length / PLACES_A_RECORD,
  run: (tx, { body }) => answer(ordonner(tx, null, body.ids)),
});

const ordreDedans = operation(api.ordonnerEmplacement, {
  may: 'household',
  holder: 'rangement',
  size: (_, { body }) => body.ids.length / PLACES_A_RECORD,
  run: (tx, { params, body }) => answer(ordonner(tx, params.id, body.ids)),
});

/** Finds locations by name in their parents, and creates missing ones. */
export class LocationFinder {
  readonly #tx: Transaction;
  readonly #onNew: (id: number) => void;
  /** By the parent's id and the key of the name. */
  readonly #ids = new Map<string, number>();
  /** The ids from the outermost location to each. */
  readonly #paths = new Map<number, readonly number[]>();

  constructor(tx: Transaction, onNew: (id: number) => void) {
    this.#tx = tx;
    this.#onNew = onNew;
    for (const { id, nom, parentId } of readTree(tx).all) this.#note(id, parentId, nom);
  }

  /** The innermost location of a path of names; `null` for no names. */
  findOrCreatePath(noms: readonly string[]): number | null {
    let parentId: number | null = null;
    for (const nom of noms)
      parentId = this.findOrCreate({ nom, parentId, note: null, fermeLe: null });
    return parentId;
  }

  /** A location at too deep a level is added beside its parent. */
  findOrCreate(emplacement: Fields, former: () => Former = () => ({})): number {
    const { nom } = emplacement;
    const path = this.#pathOf(emplacement.parentId);
    const parentId = path.at(MAX_NIVEAUX - 2) ?? emplacement.parentId;
    const known = this.#ids.get(keyIn(parentId, nom));
    if (known !== undefined) return known;
    const id = insertEmplacement(this.#tx, { ...emplacement, parentId }, former());
    this.#note(id, parentId, nom);
    this.#onNew(id);
    return id;
  }

  #note(id: number, parentId: number | null, nom: string): void {
    this.#ids.set(keyIn(parentId, nom), id);
    this.#paths.set(id, [...this.#pathOf(parentId), id]);
  }

  #pathOf(id: number | null): readonly number[] {
    return (id !== null && this.#paths.get(id)) || [];
  }
}

const keyIn = (parentId: number | null, nom: string): string =>
  `${String(parentId)}\n${textKey(nom)}`;

const suppression = operation(api.supprimerEmplacement, {
  may: 'household',
  holder: 'suppressionEmplacement',
  size: (database, { params }) =>
    database.value<number>(
      `SELECT (SELECT count(*) FROM Livre WHERE emplacementId = @id)
         + (SELECT count(*) FROM Emplacement WHERE parentId = @id)`,
      params,
    ) ?? 0,
  run: (tx, { params }) => {
    supprimerEmplacement(tx, params.id);
    return answer();
  },
});

export function routes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, [
    read(api.listerEmplacements, { may: 'household', run: () => [...readTree(database).all] }),
    read(api.lireEmplacement, {
      may: 'household',
      run: ({ params }) => readTree(database).get(params.id),
    }),
    operation(api.ajouterEmplacement, {
      may: 'household',
      run: (tx, { body }) => answer(ajouterEmplacement(tx, body)),
    }),
    operation(api.modifierEmplacement, {
      may: 'household',
      run: (tx, { params: { id }, body }) => {
        const tree = readTree(tx);
        found(tree.get(id));
        updateEmplacement(tx, id, enteredIn(tree, id, body));
        return answer(found(readTree(tx).get(id)));
      },
    }),
    suppression,
    ordre,
    ordreDedans,
  ]);
}
