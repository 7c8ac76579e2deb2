import type { CollectionName } from '#shared/collections';
import type { ModificationDocument } from '#shared/modifications';

/** A record as the history names it. */
export interface RecordName {
  readonly collection: CollectionName;
  readonly id: number;
}

/** The newest of some acts; a loop, as there may be more of them than a call takes arguments. */
function newest<A extends Pick<ModificationDocument, 'id'>>(acts: Iterable<A>): A | undefined {
  let last: A | undefined;
  for (const act of acts) if (last === undefined || act.id > last.id) last = act;
  return last;
}

/** The id of the newest act; 0 without any. */
export const newestId = (acts: ReadonlyMap<number, ModificationDocument>): number =>
  newest(acts.values())?.id ?? 0;

/** The newest act of a known person after another one that touched a record. */
export const lastActOn = (
  acts: ReadonlyMap<number, ModificationDocument>,
  record: RecordName,
  after: number,
): ModificationDocument | undefined =>
  newest(
    [...acts.values()].filter(
      (act) =>
        act.id > after &&
        act.utilisateur !== null &&
        act.fiches.some(
          (fiche) => fiche.collection === record.collection && fiche.id === record.id,
        ),
    ),
  );
