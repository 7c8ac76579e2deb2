import { notes } from '$lib/sync/browser';
import { connection } from '$lib/sync/connection.svelte';

const written = $state<Record<string, number>>({});

const keyOf = (year: string): string =>
  `aim|${encodeURIComponent(connection.moi?.utilisateur ?? '')}|${year}`;

/** How many books the reader means to read in a year, kept on this device; 0 for no aim. */
export function aimOf(year: string): number {
  const key = keyOf(year);
  const kept = written[key] ?? notes.get(key);
  return typeof kept === 'number' ? kept : 0;
}

export function setAim(year: string, count: number): void {
  const key = keyOf(year);
  written[key] = count;
  notes.set(key, count);
}
