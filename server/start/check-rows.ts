import { Check } from 'typebox/value';
import type { Row } from '#shared/change-reader';
import { collectionNames } from '#shared/collection-names';
import { collections } from '#shared/collections';
import { raison } from '#server/plumbing/common/raisons';
import { InvalidBackup } from '#server/plumbing/database/backup/file';
import { ownTables } from '#server/plumbing/database/backup/schema';
import type { Reader } from '#server/plumbing/database/connection';
import { Database } from '#server/plumbing/database/database';
import { renewAll } from './context.ts';
import { impossibleCells, type Cell } from './impossible-cells.ts';
import { kinds, tables } from './kinds.ts';

// Checks of a restored database, before it replaces the household's: whether a start could read each row. Rows that today's
// rules would not write pass as long as they can be read, since archives and older versions brought dates and bounds of
// their own.

/** Throws InvalidBackup with table and row for a value of an impossible type, shape or length. */
export function checkRows(path: string): void {
  const database = Database.open(path, undefined, { tables, coversUrl: '' });
  try {
    for (const found of impossibleCells(database, ownTables()))
      throw new InvalidBackup(raison('ligneImpossible', found));
    for (const found of impossibleDocuments(database))
      throw new InvalidBackup(raison('ligneImpossible', found));
    renewAll(database, null);
  } finally {
    database.close();
  }
}

function* impossibleDocuments(database: Reader): Generator<Cell> {
  for (const name of collectionNames) {
    const { projection, key = 'id' } = kinds[name];
    const { select, table, toDocument } = projection;
    const shape = withoutBounds(collections[name].document);
    for (const row of database.prepare<[], Row>(select).iterate()) {
      const cell = { table, ligne: `${key} ${String(row['id'])}` };
      let document: object;
      try {
        document = toDocument(row);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        yield { ...cell, colonne: 'JSON' };
        continue;
      }
      if (Check(shape, document)) continue;
      const [property = '?'] = Object.keys(document).filter(
        (each) => !Check(shapeOf(shape, each), Reflect.get(document, each)),
      );
      yield { ...cell, colonne: property };
    }
  }
}

const shapeOf = (shape: Readonly<Record<string, unknown>>, property: string) =>
  withoutBounds(Reflect.get(Object(shape['properties']), property));

const BOUNDS = new Set([
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
]);

/** A schema with types and properties only. A property may have the name of a bound. */
function withoutBounds(schema: unknown): Record<string, unknown> {
  const entries = Object.entries(schema ?? {}).filter(
    ([name, value]: [string, unknown]) => typeof value === 'object' || !BOUNDS.has(name),
  );
  return Object.fromEntries(
    entries.map(([name, value]: [string, unknown]) => [name, loosened(value)]),
  );
}

function loosened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(loosened);
  return typeof value === 'object' && value !== null ? withoutBounds(value) : value;
}
