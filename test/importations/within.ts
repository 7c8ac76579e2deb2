import { writeFileSync } from 'node:fs';
import { invalid, raison } from '#server/plumbing/common/raisons';
import { operationNamed, type ReadingBounds } from '#server/plumbing/writes/operations';
import { LongWrite } from '#server/plumbing/writes/thread';
import type { House } from '../support/house.ts';

/** Reads a file in a thread that may take so much; says whether it would be kept. */
export async function readWithin(
  house: House,
  file: string | Buffer,
  bounds: Partial<ReadingBounds>,
): Promise<boolean> {
  const { options } = house.context.database;
  const path = `${options.path}.file`;
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
