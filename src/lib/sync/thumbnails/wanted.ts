import type { Records } from '../records.ts';

/** How many keys are read between two pauses: some milliseconds on a phone. */
const TURN = 500;

/** The keys of the covers that a device holds, in the order in which it fetches them. */
export interface WantedKeys {
  /** Of the books, in the order of the catalogue, then of the issues. */
  readonly household: ReadonlySet<string>;
  /** Of the reader's wishes that no book and no issue has. */
  readonly own: ReadonlySet<string>;
}

const NO_STATUTS = new Map();

/**
 * Takes every item, with pauses for the browser: ten thousand in one go would block a phone's screen.
 */
export async function inTurns<T>(
  items: Iterable<T>,
  pause: () => Promise<void>,
  take: (item: T) => void,
): Promise<void> {
  let left = TURN;
  for (const item of items) {
    take(item);
    if (--left > 0) continue;
    left = TURN;
    await pause();
  }
}

/** The covers of every record of the copy that is on the screen (docs/rules.md § 48). */
export async function wantedKeys(
  { catalogue, tables }: Records,
  pause: () => Promise<void>,
): Promise<WantedKeys> {
  const household = new Set<string>();
  const own = new Set<string>();
  const livres = catalogue.search({ tri: 'alphabetique' }, NO_STATUTS);
  await inTurns([...livres, ...tables.numeros.values()], pause, ({ couverture }) => {
    if (couverture !== null) household.add(couverture.cle);
  });
  for (const { couverture } of tables.souhaits.values())
    if (couverture !== null && !household.has(couverture.cle)) own.add(couverture.cle);
  return { household, own };
}
