import { onDestroy } from 'svelte';

/** Takes the code that a hand-held scanner has typed. */
type ScanHandler = (code: string) => void;

interface Taker {
  readonly handler: ScanHandler;
  readonly takesLabels: boolean;
}

const takers: Taker[] = [];

/**
 * Gives every scanned code to a screen while it is open. Call while it is set up.
 *
 * @param labels the addresses of locations' labels, too, which are opened elsewhere
 */
export function takeScans(handler: ScanHandler, labels?: 'labels'): void {
  const taker = { handler, takesLabels: labels !== undefined };
  takers.push(taker);
  onDestroy(() => takers.splice(takers.lastIndexOf(taker), 1));
}

/** What the open screen does with a scan, the one opened last first; nothing of its own by default. */
export function screenScanHandler(isLabel: boolean): ScanHandler | undefined {
  const taker = takers.at(-1);
  return isLabel && taker?.takesLabels !== true ? undefined : taker?.handler;
}
