import type { CollectionName } from '#shared/collections';
import type { ModificationDocument } from '#shared/modifications';

export interface RecordName {
  readonly collection: CollectionName;
  readonly id: number;
}

/** 0 where there is no act. */
export function newestId(acts: ReadonlyMap<number, ModificationDocument>): number {
  let newest = 0;
  for (const id of acts.keys()) if (id > newest) newest = id;
  return newest;
}

/** The newest act of a known person on a record, after the act with the id `after`. */
export function lastActOn(
  acts: ReadonlyMap<number, ModificationDocument>,
  { collection, id }: RecordName,
  after: number,
): ModificationDocument | undefined {
  let last: ModificationDocument | undefined;
  for (const act of acts.values()) {
    if (act.utilisateur === null || act.id <= (last?.id ?? after)) continue;
    if (act.fiches.some((fiche) => fiche.collection === collection && fiche.id === id)) last = act;
  }
  return last;
}
