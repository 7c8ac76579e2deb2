import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import type { Serie } from '#shared/series';
import type { Souhait } from '#shared/souhaits';
import { kinds } from '#server/start/kinds';
import type { RecordKind } from '#server/plumbing/records/kind';
import { openHouse } from '../support/house.ts';
import { recordsOf } from '../support/records.ts';
import { databaseOf, FULL } from '../support/rows.ts';
import { download, importInto } from '../export/support.ts';

const PERSONAL = Object.values<RecordKind>(kinds).filter(({ owner }) => owner !== undefined);

test('undoing an import keeps a volume that another person wants', async () => {
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
  const [left] = (await other.ask('bob', 'GET', '/api/series')).body as Serie[];
  expect(left?.places.map(({ titre }) => titre)).toEqual(['Tome un']);
  const souhaits = (await other.ask('bob', 'GET', '/api/souhaits')).body as Souhait[];
  expect(souhaits.map(({ titre }) => titre)).toEqual(['Tome un']);
  const bought = await other.ask('bob', 'POST', `/api/souhaits/${souhaits[0]?.id ?? 0}/achat`, {});
  const { places: filled } = (await other.ask('bob', 'GET', `/api/series/${serie?.id ?? 0}`))
    .body as Serie;
  expect(filled[0]?.livreId).toBe((bought.body as Livre).id);
});

test.each(PERSONAL.map(({ source }) => source.table))(
  'another person’s %s rows mark their shared records as used',
  (table) => {
    const others = PERSONAL.filter(({ source }) => source.table !== table);
    const emptied = others.map(({ source }) => `DELETE FROM ${source.table}`);
    const database = databaseOf([...FULL, ...emptied]);
    const records = recordsOf(database);
    for (const { column, target } of database.capture.linksOf(table)) {
      // A picture is no record: what shows it keeps it.
      if (target === 'Couverture') continue;
      const found = ['ana', 'bob', null].map((who) => records.isUsedByOthers(target, 1, who));
      expect(found, column).toEqual([false, true, true]);
    }
  },
);

test('every table with a person’s rows is a personal kind’s', () => {
  const { capture } = databaseOf([]);
  const tables = PERSONAL.map(({ source }) => source.table);
  expect(
    capture.tables.filter((table) => capture.columnsOf(table).includes('utilisateur')).sort(),
  ).toEqual(tables.filter((table) => capture.tables.includes(table)).sort());
  // What leads to a shared record bears its owner, or nobody would find it.
  for (const { source, tables: parts = {} } of PERSONAL)
    for (const part of Object.keys(parts).filter((name) => name !== source.table))
      expect(capture.linksOf(part).map(({ target }) => target)).toEqual([source.table]);
});
