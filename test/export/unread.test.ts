import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MIN_RATE } from '#server/plumbing/http/request';
import { addLivreEntry } from '#server/subjects/livres/livres';
import { checkpoint, temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse } from '../support/house.ts';

const MIB = 1024 * 1024;
/** More than the socket buffers hold, and than the log's limit. */
const BYTES = 24 * MIB;
const TITRE_BYTES = 16 * 1024;

test('an export whose client does not read does not block checkpoints', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const path = join(temporaryFolder(), 'maison.sqlite');
  const { context, url } = await openHouse(path);
  const { database } = context;
  const addMany = (letter: string) =>
    database.write((tx) => {
      for (let i = 0; i < BYTES / TITRE_BYTES; i++)
        addLivreEntry(
          tx,
          { titre: letter.repeat(TITRE_BYTES), format: 'Physique', auteurs: [] },
          null,
        );
    });
  addMany('a');
  const { hostname, port } = new URL(url);
  const reader = connect(Number(port), hostname);
  onTestFinished(() => void reader.destroy());
  reader.write(`GET /api/export/livres.csv HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await once(reader, 'readable');
  const isPinned = () => checkpoint(path);
  addMany('b');
  expect([isPinned(), statSync(`${path}-wal`).size > BYTES]).toEqual([1, true]);
  vi.advanceTimersByTime(2 * MIN_RATE.ms);
  await eventually(isPinned).toBe(0);
});

test('the log of a long reading is cut after it', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const { context } = await openHouse(path);
  const { database } = context;
  const keep = (bytes: number) =>
    database.write((tx) =>
      tx.run(
        `INSERT INTO IdempotencyRecord (utilisateur, key, fingerprint, date, status, headers, body)
         VALUES ('', hex(randomblob(8)), '', 0, 200, '', zeroblob(?))`,
        bytes,
      ),
    );
  const snapshot = database.openSnapshot();
  keep(BYTES);
  snapshot.close();
  keep(BYTES);
  for (let i = 0; i < 3; i++) keep(1);
  expect(statSync(`${path}-wal`).size).toBeLessThanOrEqual(16 * MIB);
});
