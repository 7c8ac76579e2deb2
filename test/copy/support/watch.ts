import type { Tab } from './device.ts';

/** The status that each reader gives, so that one can tell whose it is. */
export const STATUTS = new Map<string | null, number>([
  ['ana', 1],
  ['bob', 2],
]);

/** Looks at every change of a screen: it never shows less than a book, nor another's status. */
export function watch(tab: Tab, seen: string[]): void {
  let shownTo: string | null | undefined;
  const look = () => {
    const { reader } = tab.status;
    if (tab.records.livres.length > 0) shownTo = reader;
    else {
      if (shownTo === reader && reader !== undefined) seen.push(`emptied for ${String(reader)}`);
      // Whoever comes back after another reader finds the other's screen, empty or not.
      shownTo = undefined;
    }
    for (const statut of tab.records.statuts.values())
      if (statut !== STATUTS.get(reader ?? null)) seen.push(`another’s for ${String(reader)}`);
  };
  tab.records.subscribe('livres', look);
  tab.records.subscribe('statuts', look);
}
