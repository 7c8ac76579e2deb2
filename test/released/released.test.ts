import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { collections } from '#shared/collections';
import type { Change } from '#shared/replication';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { changesIn, prepareToRead, type Pack } from '../../src/lib/sync/packs.ts';
import { contentOf, importInto, unzip } from '../export/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { truth } from '../sync/model/truth.ts';
import { backupOf, OPENED, VERSIONS } from './versions.ts';

/** The only version without locations. */
const BEFORE_LOCATIONS = '0.1.0';

/**
 * The records of a device of a version, in packs. Versions 0.1 and 1.0 had none: their records were packed later, and
 * their devices start with a new replica.
 */
async function heldBy(version: string): Promise<Change[]> {
  const packed = readFileSync(join(import.meta.dirname, version, 'copy.json.gz'));
  const packs = JSON.parse(gunzipSync(packed).toString()) as Pack[];
  await prepareToRead(packs);
  return changesIn(packs);
}

describe.each(VERSIONS)('the files that version %s has written', (version) => {
  const path = (name: string) => join(import.meta.dirname, version, name);

  test('as an export comes in whole', async () => {
    const house = await openHouse();
    const { status, body } = await importInto(house, readFileSync(path('export.zip')));
    expect([status, body['refuses']]).toEqual([201, []]);
    const { livres, series, numeros, souhaits } = await contentOf(house);
    expect(livres).toHaveLength(30);
    expect(livres.join()).toContain('"emprunteur":"Tante Zoé"');
    expect(livres.filter((livre) => livre.includes('"statut":2'))).toHaveLength(1);
    const shelved = livres.filter((livre) => livre.includes('"emplacement":"Salon"'));
    expect(shelved).toHaveLength(version === BEFORE_LOCATIONS ? 0 : 1);
    expect(series.join()).toContain('"numero":"31"');
    expect(numeros.join()).toContain(String.raw`"resume":"Un\ndeux"`);
    expect(souhaits).toMatchObject([{ place: ['La marée haute', 'La marée haute, tome 31'] }]);
  });

  test('as a device’s copy is read in today’s shape', async () => {
    const changes = await heldBy(version);
    expect(changes.filter(({ collection }) => collection === 'livres')).toHaveLength(30);
    for (const { collection, id, document } of changes)
      expect([collection, id, Check(collections[collection].document, document)]).toEqual([
        collection,
        id,
        true,
      ]);
  });
});

test.each(OPENED)('a backup of %s is restored', async (version) => {
  const databasePath = join(temporaryFolder(), 'maison.sqlite');
  const { manifest } = await restoreBackup(backupOf(version), { databasePath });
  expect(manifest).toMatchObject({ livres: 30, couvertures: 0 });
  const house = await openHouse(databasePath);
  const { livres, souhaits } = await contentOf(house);
  expect([livres.length, souhaits.length]).toEqual([30, 1]);
});

test.each(OPENED)('no migration changes the records of a device of %s', async (version) => {
  const databasePath = join(temporaryFolder(), 'maison.sqlite');
  await restoreBackup(backupOf(version), { databasePath });
  const { database } = (await openHouse(databasePath)).context;
  const changes = await heldBy(version);
  const lines = database.all<Record<'collection' | 'id' | 'revision', unknown>>(
    'SELECT collection, id, revision FROM Journal',
  );
  const revisions = new Map(
    lines.map(({ collection, id, revision }) => [`${String(collection)}/${String(id)}`, revision]),
  );
  // Records changed by a migration have a later journal entry, and are pulled.
  const same = changes.filter(
    ({ collection, id, revision }) => revisions.get(`${collection}/${String(id)}`) === revision,
  );
  expect(same.length).toBeGreaterThan(0);
  for (const { collection, id, document } of same) {
    if (document === null || collection === 'modifications') continue;
    const found = [...truth(database, collection, 'ana')].find(
      (one) => Reflect.get(one, 'id') === id,
    );
    expect(document, `${collection}/${String(id)}`).toEqual(found);
  }
});

test('an export without some of today’s fields is imported empty', async () => {
  const [version = ''] = VERSIONS;
  const house = await openHouse();
  const zip = await withoutFields(join(import.meta.dirname, version, 'export.zip'), [
    'editeur',
    'typeDocument',
    'statut',
    'auteur',
    'themes',
  ]);
  const { status, body } = await importInto(house, zip);
  expect([status, body['refuses'], body['avertissements']]).toEqual([201, [], []]);
  const { livres, series, numeros } = await contentOf(house);
  expect(livres).toHaveLength(30);
  expect(livres.join()).not.toContain('Au Port');
  expect([series.length, numeros.length]).toEqual([1, 1]);
});

/** An export by a version without these fields. */
async function withoutFields(path: string, fields: readonly string[]): Promise<Buffer> {
  const files = await unzip(readFileSync(path));
  const zip = new ZipFile();
  for (const [name, content] of files)
    zip.addBuffer(
      Buffer.from(
        name.startsWith('json/')
          ? JSON.stringify(
              JSON.parse(content, (key, value: unknown) =>
                fields.includes(key) ? undefined : value,
              ),
            )
          : content,
      ),
      name,
    );
  zip.end();
  return buffer(zip.outputStream);
}
