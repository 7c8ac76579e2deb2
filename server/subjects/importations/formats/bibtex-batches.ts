import { ABBREVIATION } from './bibtex-bounds.ts';

// cspell:words crossref xdata

// The BibTeX library keeps the syntax tree of its whole input in memory: a long file is parsed in batches. Each batch
// has what its entries refer to: the abbreviations (`@string`) and the entries of a `crossref`.

const BATCH_LENGTH = 300_000;

/** Limit for abbreviations that each batch repeats. */
const MAX_REPEATED_LENGTH = 100_000;

export interface Batch {
  readonly source: string;
  /** The keys of entries that belong to another batch. */
  readonly borrowed: ReadonlySet<string>;
}

const KEY = /^[ \t]*@\w+[ \t]*[{(]\s*([^\s,{}()]+)/;
const PARENTS = /\b(?:crossref|xref|xdata)\s{0,20}=\s{0,20}[{"]?([^{}"]{1,500})/gi;

/** @param entries the file in pieces, in its order; a piece is an entry, or text before the first one */
export function* batchesOf(entries: readonly string[]): Generator<Batch> {
  const names = entries.flatMap((entry) => ABBREVIATION.exec(entry)?.[1]?.toLowerCase() ?? []);
  const abbreviations = entries.filter((entry) => ABBREVIATION.test(entry)).join('');
  const isWhole =
    abbreviations.length > MAX_REPEATED_LENGTH ||
    // A redefined abbreviation has its new value from there on.
    new Set(names).size < names.length ||
    entries.reduce((sum, { length }) => sum + length, 0) <= BATCH_LENGTH;
  if (isWhole) {
    yield { source: entries.join(''), borrowed: new Set() };
    return;
  }
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  for (const batch of inBatches(entries.filter((entry) => !ABBREVIATION.test(entry)))) {
    const parents = parentsOf(batch, byKey);
    yield {
      source: [abbreviations, ...batch, ...parents.values()].join(''),
      borrowed: new Set(parents.keys()),
    };
  }
}

function* inBatches(entries: readonly string[]): Generator<string[]> {
  let [batch, length]: [string[], number] = [[], 0];
  for (const entry of entries) {
    batch.push(entry);
    length += entry.length;
    if (length < BATCH_LENGTH) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

const keyOf = (entry: string): string => KEY.exec(entry)?.[1] ?? '';

/** The entries outside the batch that it refers to, and those that they refer to, by key. */
function parentsOf(
  batch: readonly string[],
  byKey: ReadonlyMap<string, string>,
): Map<string, string> {
  const own = new Set(batch.map(keyOf));
  const parents = new Map<string, string>();
  const waiting = [...batch];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop())
    for (const [, keys = ''] of entry.matchAll(PARENTS))
      for (const key of keys.split(',').map((each) => each.trim())) {
        const parent = byKey.get(key);
        if (key === '' || parent === undefined || own.has(key) || parents.has(key)) continue;
        parents.set(key, parent);
        waiting.push(parent);
      }
  return parents;
}
