import type { ModificationDocument } from '#shared/modifications';

/** From so many additions in a row on, a person's additions share one line. */
const MIN_GROUP = 4;

/** An act of the list; the first of a run of additions stands for all of them. */
interface ActGroup {
  readonly modification: ModificationDocument;
  /** The other acts of the run, in their order; empty for an act alone. */
  readonly others: readonly ModificationDocument[];
}

/**
 * The acts in their order, with the books that one person added on one day, one after the other, as one
 * group: forty codes that were scanned are forty acts.
 */
export function groupAdditions(acts: readonly ModificationDocument[]): ActGroup[] {
  const runs: ModificationDocument[][] = [];
  for (const act of acts) {
    const run = runs.at(-1);
    if (run?.[0] !== undefined && isSameRun(run[0], act)) run.push(act);
    else runs.push([act]);
  }
  return runs.flatMap((run) => {
    const [first, ...others] = run;
    if (first === undefined) return [];
    return run.length < MIN_GROUP
      ? run.map((modification) => ({ modification, others: [] }))
      : [{ modification: first, others }];
  });
}

const isSameRun = (a: ModificationDocument, b: ModificationDocument): boolean =>
  a.operation === 'ajouterLivre' &&
  b.operation === 'ajouterLivre' &&
  !a.annulee &&
  !b.annulee &&
  a.utilisateur === b.utilisateur &&
  new Date(a.date).toDateString() === new Date(b.date).toDateString();
