import type { Tab } from './device.ts';

/** The status that each reader sets, so that a status tells its reader. */
export const STATUTS = new Map<string | null, number>([
  ['ana', 1],
  ['bob', 2],
]);

/** Checks every change of a screen, which must not become empty, nor show another reader's status. */
export function watch(tab: Tab, seen: string[]): void {
  let shownTo: string | null | undefined;
  const look = () => {
    const { reader } = tab.status;
    if (tab.records.livres.length > 0) shownTo = reader;
    else {
      if (shownTo === reader && reader !== undefined) seen.push(`emptied for ${String(reader)}`);
      // After a change of readers the previous reader's screen is still shown, which may be empty.
      shownTo = undefined;
    }
    for (const statut of tab.records.statuts.values())
      if (statut !== STATUTS.get(reader ?? null)) seen.push(`another’s for ${String(reader)}`);
  };
  tab.records.subscribe('livres', look);
  tab.records.subscribe('statuts', look);
}
