import type { Row, RowChange } from '#shared/change-reader';
import type { Reader } from '#server/plumbing/database/reader';

/** All that an act did to one row, its key followed through the steps. */
interface Chain {
  readonly table: string;
  readonly avant: Row | null;
  apres: Row | null;
  readonly steps: RowChange[];
}

/** What an act did: to each row in the end, and step by step as it is kept. */
export interface ChangeSet {
  /** The rows that differ after the act, all columns of them, in the order in which they were touched. */
  readonly net: readonly RowChange[];
  /** The steps to undo it by; of a rewritten row only the key, the links and the columns that changed. */
  readonly kept: readonly RowChange[];
  /** The person to whom all of these rows belong; '' where some are everyone's. */
  readonly proprietaire: string;
}

/**
 * Sums up the steps of an act. A row that was deleted and inserted again as it was has not changed;
 * one that was inserted and deleted on the way stays among the steps where other rows may refer to it.
 */
export function changeSetOf(database: Reader, steps: readonly RowChange[]): ChangeSet {
  const chains = chainsOf(database, steps);
  const isLinked = ({ table }: Pick<Chain, 'table'>) => database.capture.linksTo(table).length > 0;
  const changed = chains.filter(({ avant, apres }) => !isSame(avant, apres));
  const kept = new Map(changed.flatMap((chain) => undoneBy(chain, isLinked(chain))));
  for (const { table, avant, apres, steps: passing } of chains)
    if (avant === null && apres === null && isLinked({ table }))
      for (const step of withoutGaps(passing)) kept.set(step, step);
  const owners = new Set(changed.map(({ avant, apres }) => ownerOf(apres ?? avant)));
  const [owner = ''] = owners;
  return {
    net: changed.map(({ table, avant, apres }) => ({ table, avant, apres })),
    kept: steps.flatMap((step) => kept.get(step) ?? []).map((step) => shortened(database, step)),
    proprietaire: owners.size === 1 ? owner : '',
  };
}

/**
 * The steps that a row is to be undone by, by the steps that were done. One that others lead to, and that was deleted and
 * inserted again otherwise, is rewritten: what leads to it may have come back with it as it was, and has no step.
 */
function undoneBy(
  { table, avant, apres, steps }: Chain,
  isLinked: boolean,
): [RowChange, RowChange][] {
  const last = steps.at(-1);
  const isMadeAgain = isLinked && avant !== null && steps.some((step) => step.apres === null);
  return apres !== null && isMadeAgain && last !== undefined
    ? [[last, { table, avant, apres }]]
    : (isLinked ? withoutGaps(steps) : steps).map((step) => [step, step]);
}

/**
 * The steps of one row without its being gone for a while: to take that back it would have to go while others lead to it
 * that have no step, as they came back as they were.
 */
function withoutGaps(steps: readonly RowChange[]): RowChange[] {
  const left: RowChange[] = [];
  for (const step of steps) {
    const last = left.at(-1);
    const isBack = last?.apres === null && step.avant === null && isSame(last.avant, step.apres);
    if (isBack) left.pop();
    else left.push(step);
  }
  return left;
}

/** A row's key as one text, table included. */
export const rowKey = (database: Reader, table: string, row: Row): string =>
  JSON.stringify([table, ...database.capture.keyOf(table).map((name) => row[name])]);

/** Whose row it is; '' where it is everyone's. */
export const ownerOf = (row: Row | null): string => {
  const owner = row?.['utilisateur'];
  return typeof owner === 'string' ? owner : '';
};

/** The columns in which two images of a row differ. */
export const changedColumns = (avant: Row, apres: Row): string[] =>
  Object.keys(apres).filter((name) => avant[name] !== apres[name]);

function chainsOf(database: Reader, steps: readonly RowChange[]): Chain[] {
  const byKey = new Map<string, Chain>();
  const chains: Chain[] = [];
  for (const step of steps) {
    const { table, avant, apres } = step;
    const from = rowKey(database, table, avant ?? apres ?? {});
    const to = rowKey(database, table, apres ?? avant ?? {});
    let chain = byKey.get(from);
    if (chain === undefined) {
      chain = { table, avant, apres, steps: [] };
      chains.push(chain);
    }
    chain.apres = apres;
    chain.steps.push(step);
    byKey.delete(from);
    byKey.set(to, chain);
  }
  return chains;
}

function isSame(avant: Row | null, apres: Row | null): boolean {
  if (avant === null || apres === null) return avant === apres;
  return changedColumns(avant, apres).length === 0;
}

/** A step with the key, the links and the changed columns of a rewritten row alone. */
function shortened(database: Reader, step: RowChange): RowChange {
  const { table, avant, apres } = step;
  if (avant === null || apres === null) return step;
  const { capture } = database;
  const links = capture.linksOf(table).map(({ column }) => column);
  const names = new Set([...capture.keyOf(table), ...links, ...changedColumns(avant, apres)]);
  if ('utilisateur' in apres) names.add('utilisateur');
  const cut = (row: Row) => Object.fromEntries([...names].map((name) => [name, row[name]]));
  return { table, avant: cut(avant), apres: cut(apres) };
}
