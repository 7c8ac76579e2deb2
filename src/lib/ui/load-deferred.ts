import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { report } from '$lib/sync/report';
import { device } from '$lib/sync/this-device';
import { afterPaint } from './after-paint.ts';
import { announcer } from './announcer.svelte.ts';

/**
 * Loads a module again after a failure. If that fails although the server responds, the page is reloaded: Firefox and
 * Chromium remember a failed module for the page's lifetime, and a release removes the older version's files.
 */
export async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (connection.state !== 'offline') location.reload();
    throw error;
  }
}

/** Calls `work` when the network returns. Returns a function that ends that. */
export function onReconnect(work: () => void): () => void {
  const isOffline = () => device.status.connection === 'offline';
  let wasOffline = isOffline();
  return device.subscribe(() => {
    const isBack = wasOffline && !isOffline();
    wasOffline = isOffline();
    if (isBack) work();
  });
}

interface DeferredLoadOptions {
  /** Schedules the load: after the first paint by default. Returns a function that cancels it. */
  readonly schedule?: (begin: () => void) => () => void;
  /** Called at each failure; by default the status line reports it. */
  readonly onfail?: () => void;
}

/**
 * Loads a module after the first screen, and again when the network returns after a failure, which is reported:
 * useless if the browser remembers the failed module. Returns a function that cancels it.
 *
 * @param what the part, for the report
 */
export function loadDeferred<T>(
  load: () => Promise<T>,
  take: (part: T) => void,
  what: string,
  { schedule = afterPaint, onfail = announceFailure }: DeferredLoadOptions = {},
): () => void {
  let isCancelled = false;
  let ended: () => void = () => undefined;
  const begin = () => {
    ended();
    load().then(
      (part) => {
        if (!isCancelled) take(part);
      },
      (error: unknown) => {
        report(error, what);
        if (isCancelled) return;
        ended = onReconnect(begin);
        onfail();
      },
    );
  };
  const cancel = schedule(begin);
  return () => {
    isCancelled = true;
    cancel();
    ended();
  };
}

const announceFailure = (): void => announcer.say(m.part_failed_text());
