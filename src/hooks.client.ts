import type { ClientInit } from '@sveltejs/kit';
import { base } from '$lib/format/address';
import { connection } from '$lib/sync/connection.svelte';
import { countCharacters } from '$lib/ui/form/maxlength';
import { keepAliveTranslated } from '$lib/ui/translation';

/** Nothing here may wait: the first screen paints after it. */
export const init: ClientInit = () => {
  keepAliveTranslated();
  const { pathname, search, hash } = location;
  if (pathname.startsWith(`${base}/`)) {
    countCharacters();
    connection.start();
    return undefined;
  }
  // The service answers at the root, too: for a proxy that takes the base away, and not for a reader.
  location.replace(base + pathname + search + hash);
  // Unsettled, so that Kit does not begin here.
  return new Promise(() => undefined);
};
