import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { report } from '$lib/sync/report';
import { device } from '$lib/sync/this-device';
import { afterPaint } from './after-paint.ts';
import { announcer } from './announcer.svelte.ts';

/**
 * Loads a part of the application again after a failure. Where that fails although the server answers, the page is
 * reloaded: Firefox remembers a failed module as long as the page lives, and a release removes the files of the older
 * version.
 */
export async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (connection.state !== 'offline') location.reload();
    throw error;
  }
}

/**
 * Loads what the first screen does not wait for, and again when the network is back after a failure, which is shown in the
 * status line. Returns how to cancel it.
 */
export function loadBehind<T>(
  load: () => Promise<T>,
  take: (part: T) => void,
  what: string,
): () => void {
  let unsubscribe: () => void = () => undefined;
  const fail = (error: unknown) => {
    report(error, what);
    announcer.say(m.part_failed_text());
    let wasOffline = device.status.connection === 'offline';
    unsubscribe = device.subscribe(() => {
      const isOffline = device.status.connection === 'offline';
      if (wasOffline && !isOffline) begin();
      wasOffline = isOffline;
    });
  };
  const begin = () => {
    unsubscribe();
    load().then(take, fail);
  };
  const cancel = afterPaint(begin);
  return () => {
    cancel();
    unsubscribe();
  };
}
