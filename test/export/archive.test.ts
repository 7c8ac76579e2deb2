import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { expect, test } from 'vitest';
import { formatArchive } from '#server/subjects/export';
import { addLivreEntry } from '#server/subjects/livres/livres';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { openFilesIn } from '../support/open-files.ts';
import { recordsOf } from '../support/records.ts';
import { furnish } from './furnish.ts';
import { unzip } from './support.ts';

type FindCover = Parameters<typeof formatArchive>[4];

/** A household's archive, whose pictures are the files found by `findCover`. */
function archiveOf({ context: { database } }: House, findCover: FindCover) {
  const snapshot = database.openSnapshot();
  return formatArchive(snapshot, recordsOf(database), 'ana', new Date(0), findCover, 'fr').once(
    'close',
    () => snapshot.close(),
  );
}

async function furnished(): Promise<House> {
  const house = await openHouse();
  await furnish(house);
  return house;
}

test('only the lists of an archive are compressed', async () => {
  const path = join(temporaryFolder(), 'picture.png');
  writeFileSync(path, Buffer.alloc(5000, 'p'));
  const archive = archiveOf(await furnished(), () => ({ type: 'image/png', path }));
  const zip = await fromBufferPromise(await buffer(archive), { lazyEntries: true });
  const plain: string[] = [];
  const compressed: string[] = [];
  for await (const { fileName, compressionMethod } of zip.eachEntry())
    (compressionMethod === 0 ? plain : compressed).push(fileName);
  expect(plain).toEqual([
    'rayonnage.json',
    ...Array<unknown>(3).fill(expect.stringMatching(/^couvertures\/[0-9a-f]{64}\.png$/)),
  ]);
  expect(compressed).toEqual(expect.arrayContaining(['json/livres.json', 'livres.csv']));
});

test('a list of several pages is one list', async () => {
  const database = temporaryDatabase();
  const titres = Array.from({ length: 501 }, (_, i) => `Livre ${i}`);
  database.write((tx) => {
    for (const titre of titres) addLivreEntry(tx, { titre, format: 'Physique', auteurs: [] }, null);
  });
  const snapshot = database.openSnapshot();
  const archive = formatArchive(snapshot, recordsOf(database), null, new Date(0), () => null, 'fr');
  const files = await unzip(await buffer(archive));
  snapshot.close();
  const livres = JSON.parse(files.get('json/livres.json') ?? '') as { titre: string }[];
  expect(livres.map(({ titre }) => titre)).toEqual(titres);
  expect(files.get('json/revues.json')).toBe('[]\n');
});

test('a picture that cannot be read breaks the archive off', async () => {
  const house = await furnished();
  const folder = temporaryFolder();
  const path = join(folder, 'picture.png');
  writeFileSync(path, 'picture');
  const damaged = join(folder, 'folder.png');
  mkdirSync(damaged);
  const cases: readonly (() => { type: string; path: string })[] = [
    () => ({ type: 'image/png', path: damaged }),
    () => {
      throw new Error('the disk fails');
    },
  ];
  for (const fails of cases)
    for (const good of [0, 2]) {
      let asked = 0;
      const archive = archiveOf(house, () =>
        asked++ < good ? { type: 'image/png', path } : fails(),
      );
      await expect(buffer(archive)).rejects.toThrow(/the disk fails|EISDIR/);
    }
});

test('an archive broken off among pictures leaves no file open', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'picture.png');
  writeFileSync(path, randomBytes(3_000_000));
  const archive = archiveOf(await furnished(), () => ({ type: 'image/png', path }));
  let read = 0;
  for await (const chunk of archive) {
    read += (chunk as Buffer).length;
    if (read > 4_000_000) break;
  }
  expect(archive.destroyed).toBe(true);
  await eventually(() => openFilesIn(folder)).toEqual([]);
});
