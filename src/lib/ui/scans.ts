import { onDestroy } from 'svelte';

/** Takes the code that a hand-held scanner has typed. */
type ScanHandler = (code: string) => void;

const handlers: ScanHandler[] = [];

/** Gives every scanned code to a screen while it is open. Call while it is set up. */
export function takeScans(handler: ScanHandler): void {
  handlers.push(handler);
  onDestroy(() => handlers.splice(handlers.lastIndexOf(handler), 1));
}

/** What the open screen does with a code, the one opened last first; nothing of its own by default. */
export const screenScanHandler = (): ScanHandler | undefined => handlers.at(-1);
