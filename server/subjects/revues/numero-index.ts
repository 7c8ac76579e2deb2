import { NumeroIndex } from '#shared/numero-index';
import type { Database } from '#server/plumbing/database/database';
import { documents, InMemory } from '#server/plumbing/records/in-memory';
import type { Records } from '#server/plumbing/records/records';

/** The household's periodicals and issues in memory. */
export type LiveNumeroIndex = InMemory<NumeroIndex>;

export function liveNumeroIndex(records: Records<Database>): LiveNumeroIndex {
  const index = new NumeroIndex();
  return new InMemory(records, index, {
    revues: (changes) => index.applyRevues(documents(changes)),
    numeros: (changes) => index.applyNumeros(documents(changes)),
  });
}
