import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { contentOf, download, importInto, unzip } from './support.ts';

test('an older export without a kind of record is read', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Un', auteurs: ['A B'] });
  const files = await unzip((await download(house, '/api/export.zip')).bytes);
  const head = JSON.parse(files.get('rayonnage.json') ?? '') as { counts: Record<string, number> };
  const { 'souhaits-revues': _, ...counts } = head.counts;
  const zip = new ZipFile();
  const add = (name: string, text: string, compress: boolean) =>
    zip.addBuffer(Buffer.from(text), name, { compress });
  add('rayonnage.json', JSON.stringify({ ...head, counts }), false);
  for (const [name, text] of files)
    if (name !== 'rayonnage.json' && !name.startsWith('json/souhaits-revues'))
      add(name, text, true);
  zip.end();
  const other = await openHouse();
  const { status } = await importInto(other, await buffer(Readable.from(zip.outputStream)));
  expect(status).toBe(201);
  expect((await contentOf(other)).livres).toEqual((await contentOf(house)).livres);
});
