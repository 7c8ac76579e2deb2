import type { Row } from '#shared/change-reader';
import type { Database } from '#server/plumbing/database/database';
import { householdRows } from './household.ts';

export type Household = Readonly<Record<string, readonly Row[]>>;

/** Authors and themes exist while something refers to them; they are compared by their key instead of their id. */
const WORDS: Readonly<Record<string, string>> = {
  Auteur: 'cleRegroupement',
  Theme: 'nomNormalise',
};

/**
 * The household in a form that can be compared with one that has another history: new records are numbered in the
 * order of their creation, authors and themes replaced by their key, positions by ranks; sort keys are omitted.
 */
export function knownHousehold(database: Database, first: Household): Household {
  const rows = householdRows(database);
  const names = Object.fromEntries(
    Object.entries(rows).map(([table, some]) => [table, namesOf(table, some, first[table] ?? [])]),
  );
  const known = (table: string, row: Row): Row => {
    const renamed: Record<string, unknown> = { ...row };
    delete renamed['ordre'];
    if (table in WORDS) Object.assign(renamed, { nom: '', nomNormalise: '' });
    if ('id' in row) renamed['id'] = names[table]?.get(row['id']);
    for (const { column, target } of database.capture.foreignKeysOf(table))
      renamed[column] = names[target]?.get(row[column]) ?? null;
    if (table === 'Place')
      renamed['premierLivreId'] = names['Livre']?.get(row['premierLivreId']) ?? null;
    if (table === 'Lecture' && row['livreId'] !== null) {
      // The book's title at the time of the reading is not shown while the book exists.
      const livreId = names['Livre']?.get(row['livreId']) ?? null;
      Object.assign(renamed, { livreId, titre: '', auteurs: '', isbn: null });
    }
    const rank = rankOf(rows, table, row);
    if (rank !== undefined) renamed['position'] = rank;
    return renamed;
  };
  return Object.fromEntries(
    Object.entries(rows).map(([table, some]) => [
      table,
      some.map((row) => known(table, row)).sort(byText),
    ]),
  );
}

/** The rows of a household with ranks instead of sort keys. */
export function ranked(database: Database): Household {
  const rows = householdRows(database);
  const known = (table: string, row: Row): Row => {
    const { ordre: _, ...rest } = row;
    const rank = rankOf(rows, table, row);
    return rank === undefined ? rest : { ...rest, position: rank };
  };
  return Object.fromEntries(
    Object.entries(rows).map(([table, some]) => [
      table,
      some.map((row) => known(table, row)).sort(byText),
    ]),
  );
}

/** The rank of a list's element; `undefined` for other rows. */
function rankOf(rows: Household, table: string, row: Row): number | undefined {
  if (table === 'Place') return standing(rows, row['serieId'], row);
  if (table === 'Serie') return standing(rows, row['parentId'], row);
  if (table === 'SelectionLivre')
    return rows['SelectionLivre']
      ?.filter(({ selectionId }) => selectionId === row['selectionId'])
      .sort((a, b) => inListe(a) - inListe(b))
      .indexOf(row);
  if (table !== 'Emplacement') return undefined;
  return rows['Emplacement']
    ?.filter(({ parentId }) => parentId === row['parentId'])
    .sort((a, b) => orderOf(a) - orderOf(b))
    .indexOf(row);
}

/** A household without the order of its lists. */
export const withoutOrder = (household: Household): Household =>
  Object.fromEntries(
    Object.entries(household).map(([table, rows]) => [
      table,
      table in ORDERED ? rows.map(({ position, rang, ...row }) => row).sort(byText) : rows,
    ]),
  );

const ORDERED = {
  Selection: 1,
  SelectionLivre: 1,
  Place: 1,
  Serie: 1,
  Emplacement: 1,
  Souhait: 1,
  RevueSouhaitee: 1,
};

const byText = (a: Row, b: Row): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

function namesOf(
  table: string,
  rows: readonly Row[],
  first: readonly Row[],
): Map<unknown, unknown> {
  const word = WORDS[table];
  if (word !== undefined) return new Map(rows.map((row) => [row['id'], row[word]]));
  const old = first.map(({ id }) => id);
  const created = rows.map(({ id }) => Number(id)).filter((id) => !old.includes(id));
  return new Map<unknown, unknown>([
    ...old.map((id) => [id, id] as const),
    ...created.sort((a, b) => a - b).map((id, index) => [id, `new ${String(index)}`] as const),
  ]);
}

/** By position, then by id: of equal positions the older row comes first. */
const orderOf = (row: Row) => Number(row['position']) * 10_000 + Number(row['id']);

const inListe = (row: Row) => Number(row['position']) * 10_000 + Number(row['livreId']);

/** The number of places and subseries before one, in its series. */
function standing({ Place = [], Serie = [] }: Household, serieId: unknown, row: Row): number {
  if (serieId === null) return 0;
  const byPlace = (a: Row, b: Row) =>
    Number(a['position']) - Number(b['position']) || Number(a['id']) - Number(b['id']);
  // The sort is stable: at equal positions places come first, then lower ids.
  return [
    ...Place.filter((place) => place['serieId'] === serieId).sort(byPlace),
    ...Serie.filter(({ parentId }) => parentId === serieId).sort(byPlace),
  ]
    .sort((a, b) => Number(a['position']) - Number(b['position']))
    .indexOf(row);
}
