import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { formatArchive } from '#server/subjects/export';
import { addLivreEntry } from '#server/subjects/livres/livres';
import { temporaryDatabase } from '../support/database.ts';
import { recordsOf } from '../support/records.ts';
import { unzip } from './support.ts';

test('an export is whole however slowly it is read', async () => {
  const database = temporaryDatabase();
  database.write((tx) => {
    for (let i = 0; i < 300; i++)
      addLivreEntry(tx, { titre: `Livre ${i}`, format: 'Physique', auteurs: [] }, null);
  });
  const snapshot = database.openSnapshot();
  const chunks: Buffer[] = [];
  const archive = formatArchive(snapshot, recordsOf(database), null, new Date(0), () => null);
  for await (const chunk of archive) {
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    chunks.push(Buffer.from(chunk as Uint8Array));
  }
  snapshot.close();
  const files = await unzip(Buffer.concat(chunks));
  expect(JSON.parse(files.get('json/livres.json') ?? '')).toHaveLength(300);
  expect(files.has('livres.ris')).toBe(true);
});
