import { writeFileSync } from 'node:fs';
import { invalid, raison } from '#server/plumbing/common/raisons';
import { operationNamed, type ReadingBounds } from '#server/plumbing/writes/operations';
import { LongWrite } from '#server/plumbing/writes/thread';
import type { House } from '../support/house.ts';

/** More than any legitimate file takes. */
export const LIMITS = { cpuMs: 60_000, heapMb: 600 };

/** Starts reading a file in a thread with these limits. */
export function readInThread(
  house: House,
  file: string | Buffer,
  bounds: Pick<ReadingBounds, 'cpuMs' | 'heapMb'>,
): LongWrite {
  const { options } = house.context.database;
  const path = `${options.path}.file`;
  writeFileSync(path, file);
  const operation = {
    ...operationNamed('POST /api/importations'),
    bounds: () =>
      Object.assign(bounds, {
        refuse: (beyond: 'time' | 'memory') =>
          invalid(raison(beyond === 'time' ? 'tropDeTemps' : 'tropDeMemoire')),
      }),
  };
  const prepared = { path, size: file.length, avertissements: [], couvertures: [] };
  const call = {
    params: {},
    query: {},
    body: undefined,
    utilisateur: null,
    locale: 'fr',
    prepared,
  };
  return new LongWrite(options, {
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
}

/** Reads a file in a thread with these limits; returns whether it would be accepted. */
export async function readWithin(
  house: House,
  file: string | Buffer,
  bounds: Partial<ReadingBounds>,
): Promise<boolean> {
  const thread = readInThread(house, file, { ...LIMITS, ...bounds });
  try {
    return await thread.prepared();
  } finally {
    await thread.end();
  }
}
