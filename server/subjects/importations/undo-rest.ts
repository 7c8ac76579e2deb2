import { createHash } from 'node:crypto';
import { deleteRefus, deleteUnused } from '#server/subjects/auteurs/auteurs';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Records } from '#server/plumbing/records/records';
import type { MadeRest } from './store.ts';

/** A record as a short text, by which a change of these fields, or of all but its cover, is found out. */
export function digestOf(record: object, fields?: readonly string[]): string {
  const compared = Object.entries(record).filter(([name]) =>
    fields === undefined ? name !== 'couverture' : fields.includes(name),
  );
  const text = JSON.stringify(Object.fromEntries(compared));
  return createHash('sha256').update(text).digest('base64url');
}

/** What was given, without the fields that are one thing with another which has changed since. */
function stillGiven(
  records: Records<Transaction>,
  given: MadeRest['given'],
  utilisateur: string | null,
): MadeRest['given'] {
  const ofRecord = Map.groupBy(given, ([file, id]) => `${file}/${String(id)}`);
  return given.filter(([file, id, field]) => {
    const { collection, restoring } = records.restoringOf(file) ?? {};
    const together = restoring?.together ?? [];
    if (collection === undefined || !together.includes(field)) return true;
    const record: object = records.read(collection, id, utilisateur) ?? {};
    const left = new Map(
      ofRecord.get(`${file}/${String(id)}`)?.map(([, , name, value]) => [name, value]),
    );
    return together.every(
      (name) => (Reflect.get(record, name) ?? null) === (left.get(name) ?? null),
    );
  });
}

/**
 * Takes back what the export of a household made besides the records of its rows; what was changed
 * since stays, and what more has come to or another's record leads to (docs/rules.md § 37).
 */
export function removeRest(
  records: Records<Transaction>,
  { auteurs, refus, records: made, given }: MadeRest,
  utilisateur: string | null,
): void {
  const { database } = records;
  // Some were given to records that it had made itself.
  for (const [file, id, field, value, former] of stillGiven(
    records,
    given,
    utilisateur,
  ).toReversed()) {
    const { collection } = records.restoringOf(file) ?? {};
    if (collection !== undefined)
      records.takeBack(database, collection, { id, field, value, former: former ?? null });
  }
  // What belongs to another record was made after it.
  for (const [file, id, digest] of made.toReversed()) {
    const { collection, restoring } = records.restoringOf(file) ?? {};
    if (collection === undefined || restoring === undefined) continue;
    const record = records.read(collection, id, utilisateur);
    if (record === undefined || digestOf(record, restoring.fields) !== digest) continue;
    if (!records.isUsedByOthers(records.kind(collection).source.table, id, utilisateur))
      restoring.remove(database, id, utilisateur);
  }
  for (const [first, second] of refus) deleteRefus(database, [first, second]);
  deleteUnused(database, auteurs);
}
