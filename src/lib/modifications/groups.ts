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

/** Fewer are read as they are. */
const MIN_SITTING = 10;
const SITTING_PAUSE_MS = 3_600_000;

interface Part {
  readonly acts: readonly ModificationDocument[];
  /** True for the mixed acts of one person without a pause of an hour, on one day. */
  readonly isSitting: boolean;
}

/**
 * Takes each sitting out of the modifications, newest first, and puts it where its newest one stands; what others did
 * meanwhile is around it. An import and an undone modification stay on their own.
 */
export function splitSittings(modifications: readonly ModificationDocument[]): Part[] {
  const open = new Map<string | null, ModificationDocument[]>();
  const all: ModificationDocument[][] = [];
  for (const act of modifications) {
    if (act.importationId !== null || act.annulee) continue;
    const current = open.get(act.utilisateur);
    const last = current?.at(-1);
    if (current !== undefined && last !== undefined && isSameSitting(last, act)) current.push(act);
    else {
      const sitting = [act];
      open.set(act.utilisateur, sitting);
      all.push(sitting);
    }
  }
  const sittings = new Map(
    all
      .filter((acts) => acts.length >= MIN_SITTING && isMixed(acts))
      .flatMap((acts) => acts.map((act) => [act, acts] as const)),
  );
  const parts: { acts: ModificationDocument[]; isSitting: boolean }[] = [];
  for (const act of modifications) {
    const sitting = sittings.get(act);
    const last = parts.at(-1);
    if (sitting !== undefined) {
      if (sitting[0] === act) parts.push({ acts: sitting, isSitting: true });
    } else if (last?.isSitting === false) last.acts.push(act);
    else parts.push({ acts: [act], isSitting: false });
  }
  return parts;
}

const isMixed = (acts: readonly ModificationDocument[]): boolean =>
  acts.some(({ operation }) => operation !== acts[0]?.operation);

const isSameSitting = (a: ModificationDocument, b: ModificationDocument): boolean =>
  new Date(a.date).toDateString() === new Date(b.date).toDateString() &&
  Math.abs(Date.parse(a.date) - Date.parse(b.date)) <= SITTING_PAUSE_MS;
