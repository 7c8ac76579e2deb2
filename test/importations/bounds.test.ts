import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invalid, raison } from '#server/plumbing/common/raisons';
import { operationNamed, type ReadingBounds } from '#server/plumbing/writes/operations';
import { LongWrite } from '#server/plumbing/writes/thread';
import { openHouse } from '../support/house.ts';
import { goodreads } from './samples.ts';

const books = () =>
  goodreads(...Array.from({ length: 20_000 }, (_, at) => ({ Title: `Book ${at}` })));

/** Reads a file of twenty thousand books in a thread that may take so much. */
async function readWithin(bounds: Partial<ReadingBounds>, file = books()): Promise<boolean> {
  const house = await openHouse();
  const { options } = house.context.database;
  const path = `${options.path}.csv`;
  writeFileSync(path, file);
  const operation = {
    ...operationNamed('POST /api/importations'),
    bounds: () => ({
      cpuMs: 60_000,
      heapMb: 600,
      refuse: (beyond: 'time' | 'memory') =>
        invalid(raison(beyond === 'time' ? 'tropDeTemps' : 'tropDeMemoire')),
      ...bounds,
    }),
  };
  const prepared = { path, avertissements: [], couvertures: [] };
  const call = {
    params: {},
    query: {},
    body: undefined,
    utilisateur: null,
    locale: 'fr',
    prepared,
  };
  const thread = new LongWrite(options, {
    operation,
    call,
    utilisateur: null,
    actor: null,
    recordId: null,
    ifMatch: undefined,
    key: null,
    maxWaitMs: undefined,
    recheckAccess: () => undefined,
    signal: new AbortController().signal,
  });
  try {
    return await thread.prepared();
  } finally {
    await thread.end();
  }
}

test('what takes more of the processor than its size may is refused, as is what takes more memory', async () => {
  await expect(readWithin({ cpuMs: 100 })).rejects.toMatchObject({
    details: { raison: 'tropDeTemps' },
  });
  await expect(readWithin({ heapMb: 30 })).rejects.toMatchObject({
    details: { raison: 'tropDeMemoire' },
  });
  expect(await readWithin({})).toBe(true);
});

test('a file whose lists outgrow the memory of its thread is refused, and the process goes on', async () => {
  const keywords = `TY  - BOOK\nTI  - A\n${'KW  - a\n'.repeat(2_500_000)}ER  - \n`;
  await expect(readWithin({ heapMb: 150 }, keywords)).rejects.toMatchObject({
    details: { raison: 'tropDeMemoire' },
  });
});
