import { onDestroy } from 'svelte';

type ScanHandler = (code: string) => void;

interface Taker {
  readonly handler: ScanHandler;
  readonly takesLabels: boolean;
}

const takers: Taker[] = [];

/**
 * Call during the screen's setup. With `labels` it handles locations' labels, too, which are opened elsewhere
 * otherwise.
 */
export function takeScans(handler: ScanHandler, labels?: 'labels'): void {
  const taker = { handler, takesLabels: labels !== undefined };
  takers.push(taker);
  onDestroy(() => takers.splice(takers.lastIndexOf(taker), 1));
}

/** The handler of the last opened screen; `undefined` if it does not handle such a scan. */
export function screenScanHandler(isLabel: boolean): ScanHandler | undefined {
  const taker = takers.at(-1);
  return isLabel && taker?.takesLabels !== true ? undefined : taker?.handler;
}
