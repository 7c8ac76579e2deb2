import type { ClientInit } from '@sveltejs/kit';
import { base } from '$lib/format/address';
import { connection } from '$lib/sync/connection.svelte';

/** Before the first screen: nothing here waits, so that it paints at once. */
export const init: ClientInit = () => {
  const { pathname, search, hash } = location;
  if (pathname.startsWith(`${base}/`)) {
    connection.start();
    return undefined;
  }
  // The service answers at the root, too: for a proxy that takes the base away, and not for a reader.
  location.replace(base + pathname + search + hash);
  // Kit must not begin here.
  return new Promise(() => undefined);
};
