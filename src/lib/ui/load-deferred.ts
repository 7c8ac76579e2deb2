import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { report } from '$lib/sync/report';
import { device } from '$lib/sync/this-device';
import { afterPaint } from './after-paint.ts';
import { announcer } from './announcer.svelte.ts';

/**
 * Loads a part of the application again after a failure. Where that fails although the server answers, the page is
 * reloaded: Firefox and Chromium remember a failed module as long as the page lives, and a release removes the files of the older
 * version.
 */
export async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (connection.state !== 'offline') location.reload();
    throw error;
  }
}

/** Calls `work` whenever the network is back after it was gone. Returns how to end that. */
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
  /** When the load begins: once the screen is painted, unless given. Returns how to cancel it. */
  readonly schedule?: (begin: () => void) => () => void;
  /** Called at each failure; if not given, the status line tells it. */
  readonly onfail?: () => void;
}

/**
 * Loads what the first screen does not wait for, and again whenever the network is back after a failure, which is
 * reported: for nothing where the browser remembers the failed module. Returns how to cancel it.
 *
 * @param what the part, in the line of the report
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
