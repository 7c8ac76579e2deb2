import { emptyToNull } from '#shared/fields';
import type { Config } from '#server/config';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { deleteNom, readNom, writeNom } from '#server/subjects/installation/store/bibliotheque';

/** What the library is called: by a person, else by its setting (docs/rules.md § 31). */
export const nomOf = (database: Reader, { libraryName }: Pick<Config, 'libraryName'>): string =>
  readNom(database) ?? libraryName;

/** Names the library; without a name it has that of its setting again. */
export function nommer(database: Transaction, given: string | null | undefined): void {
  const nom = emptyToNull(given);
  if (nom === null) deleteNom(database);
  else writeNom(database, nom);
}
