import { expect, test } from 'vitest';
import type { Serie } from '#shared/series';
import type { Souhait } from '#shared/souhaits';
import { kinds } from '#server/start/kinds';
import type { RecordKind } from '#server/plumbing/records/kind';
import { openHouse } from '../support/house.ts';
import { databaseOf } from '../support/rows.ts';
import { download, importInto } from '../export/support.ts';

const PERSONAL = Object.values<RecordKind>(kinds).filter(({ owner }) => owner !== undefined);

test('undoing an import takes a volume that another wishes for', async () => {
  const house = await openHouse();
  const places = [{ titre: 'Tome un' }, { titre: 'Tome deux' }];
  await house.ask('ana', 'POST', '/api/series', { titre: 'Suite', places });
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  const { body } = await importInto(other, bytes);
  const [serie] = (await other.ask('bob', 'GET', '/api/series')).body as Serie[];
  const placeId = serie?.places[0]?.id ?? 0;
  await other.ask('bob', 'POST', `/api/places/${placeId}/souhait`);
  await other.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
  expect((await other.ask('bob', 'GET', '/api/series')).body).toEqual([]);
  const souhaits = (await other.ask('bob', 'GET', '/api/souhaits')).body as Souhait[];
  expect(souhaits.map(({ titre }) => titre)).toEqual(['Tome un']);
});

test('every table with a person’s rows is a personal kind’s, and bears its owner', () => {
  const { capture } = databaseOf([]);
  const tables = PERSONAL.flatMap(({ projection, tables: own = {} }) => [
    projection.table,
    ...Object.keys(own),
  ]);
  expect(
    capture.tables.filter((table) => capture.columnsOf(table).includes('utilisateur')).sort(),
  ).toEqual([...new Set(tables)].filter((table) => capture.tables.includes(table)).sort());
});
