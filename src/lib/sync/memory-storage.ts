import { createMemoryStorageInstance, getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { instanceParams, RxEnvelopes, unpacked } from './rx-storage.ts';
import type { Envelope } from './envelope.ts';
import type { Storage } from './ports.ts';

/** A database that lasts as long as the page, or in a test as long as its process. */
export async function openInMemory(name: string): Promise<Storage> {
  const instance = await createMemoryStorageInstance<Envelope>(
    getRxStorageMemory(),
    instanceParams(name),
    {},
  );
  const { documents } = instance.internals;
  return new RxEnvelopes(instance, {
    all: (receive) => {
      // RxDB puts what was written into `documents` when it is idle, or here.
      instance.ensurePersistence();
      return receive([...documents.values()].map(unpacked));
    },
    one: (key) => {
      instance.ensurePersistence();
      return Promise.resolve(documents.get(key));
    },
  });
}

/** Deletes a database in memory. */
export async function dropInMemory(name: string): Promise<void> {
  const instance = await getRxStorageMemory().createStorageInstance<Envelope>(instanceParams(name));
  await instance.remove();
}
