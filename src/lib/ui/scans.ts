import { onDestroy } from 'svelte';

type ScanHandler = (code: string) => void;

interface Taker {
  readonly handler: ScanHandler;
  readonly takesLabels: boolean;
}

const takers: Taker[] = [];

/** Call while the screen is set up. With `labels` it takes locations' labels, too, which are opened elsewhere. */
export function takeScans(handler: ScanHandler, labels?: 'labels'): void {
  const taker = { handler, takesLabels: labels !== undefined };
  takers.push(taker);
  onDestroy(() => takers.splice(takers.lastIndexOf(taker), 1));
}

/** The handler of the screen opened last; `undefined` where that screen takes no such scan. */
export function screenScanHandler(isLabel: boolean): ScanHandler | undefined {
  const taker = takers.at(-1);
  return isLabel && taker?.takesLabels !== true ? undefined : taker?.handler;
}
