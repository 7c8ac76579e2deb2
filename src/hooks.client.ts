import type { ClientInit, HandleClientError } from '@sveltejs/kit';
import { base } from '$lib/format/address';
import { connection } from '$lib/sync/connection.svelte';
import { report } from '$lib/sync/report';
import { countCharacters } from '$lib/ui/form/maxlength';
import { keepAliveTranslated } from '$lib/ui/translation';

const NOT_FOUND = 404;

/** What fails while a screen is opened stands in « Diagnostic »; an address that does not exist is no failure. */
export const handleError: HandleClientError = ({ error, event, status, message }) => {
  if (status !== NOT_FOUND) report(error, `opening ${event.url.pathname}`);
  return { message };
};

/** What nothing else has caught; the browser's console has it, too. */
function reportUncaught(): void {
  addEventListener('error', ({ error, message }) => report(error ?? message, 'handling an event'));
  addEventListener('unhandledrejection', ({ reason }) => report(reason, 'waiting for an answer'));
}

/** Nothing here may wait: the first screen paints after it. */
export const init: ClientInit = () => {
  reportUncaught();
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
