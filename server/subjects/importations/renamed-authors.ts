import {
  auteurRecordByKey,
  livresOfAuteur,
  readAuteurRecord,
  updateNoms,
  whileAwake,
} from '#server/subjects/auteurs/auteurs';
import type { AuteurRecord } from '#server/subjects/auteurs/merging';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { cleRegroupement } from '#shared/text';
import type { RenamedAuteur } from './store.ts';

/**
 * Which of these authors have other names since an import, and the books that had them (docs/rules.md § 14, § 16).
 *
 * @param before the authors as they were before it
 * @param made the books that it made
 */
export function renamedSince(
  database: Reader,
  before: readonly AuteurRecord[],
  made: readonly number[],
): RenamedAuteur[] {
  const isMade = new Set(made);
  return before.flatMap((former) => {
    const given = readAuteurRecord(database, former.id);
    if (given === undefined || isSame(given, former)) return [];
    const livres = livresOfAuteur(database, former.id).filter((id) => !isMade.has(id));
    return [{ former, given, livres }];
  });
}

/** Gives the authors their former names, but for one that was renamed since, or that other books have by now. */
export function takeNamesBack(database: Transaction, renamed: readonly RenamedAuteur[]): void {
  for (const each of renamed.toReversed())
    whileAwake(database, each.given, () => takeNameBack(database, each));
}

function takeNameBack(database: Transaction, { former, given, livres }: RenamedAuteur): void {
  const present = readAuteurRecord(database, former.id);
  if (present === undefined || !isSame(present, given)) return;
  const known = new Set(livres);
  if (!livresOfAuteur(database, former.id).every((id) => known.has(id))) return;
  const namesake = auteurRecordByKey(database, cleRegroupement(former.nom));
  if (namesake === undefined || namesake.id === former.id) updateNoms(database, former);
}

const isSame = (a: AuteurRecord, b: AuteurRecord): boolean =>
  a.nom === b.nom && a.fullForm === b.fullForm;
