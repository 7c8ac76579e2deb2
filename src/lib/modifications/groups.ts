import type { ModificationDocument } from '#shared/modifications';

const MIN_GROUP = 4;

/**
 * Groups consecutive modifications of one kind by one person on one day under the first: forty scanned codes are
 * forty modifications.
 */
export function groupModifications(modifications: readonly ModificationDocument[]) {
  const runs: ModificationDocument[][] = [];
  for (const modification of modifications) {
    const run = runs.at(-1);
    if (run?.[0] !== undefined && isSameRun(run[0], modification)) run.push(modification);
    else runs.push([modification]);
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
  a.operation === b.operation &&
  a.importationId === null &&
  b.importationId === null &&
  !a.annulee &&
  !b.annulee &&
  a.utilisateur === b.utilisateur &&
  new Date(a.date).toDateString() === new Date(b.date).toDateString();
