import type { ClientInit, HandleClientError } from '@sveltejs/kit';
import { base } from '$lib/format/address';
import { connection } from '$lib/sync/connection.svelte';
import { report } from '$lib/sync/report';
import { countCharacters } from '$lib/ui/form/maxlength';
import { keepAliveTranslated } from '$lib/ui/translation';

const NOT_FOUND = 404;

/** Failures while opening a screen are listed in « Diagnostic »; an unknown address is no failure. */
export const handleError: HandleClientError = ({ error, event, status, message }) => {
  if (status !== NOT_FOUND) report(error, `opening ${event.url.pathname}`);
  return { message };
};

/** Reports uncaught errors; the browser's console has them, too. */
function reportUncaught(): void {
  addEventListener('error', ({ error, message }) => report(error ?? message, 'handling an event'));
  addEventListener('unhandledrejection', ({ reason }) => report(reason, 'waiting for an answer'));
}

/** Nothing here may be awaited: the first screen paints afterwards. */
export const init: ClientInit = () => {
  reportUncaught();
  keepAliveTranslated();
  const { pathname, search, hash } = location;
  if (pathname.startsWith(`${base}/`)) {
    countCharacters();
    connection.start();
    return undefined;
  }
  // The service also answers at the root, for proxies that strip the base path; readers are
  // redirected.
  location.replace(base + pathname + search + hash);
  // Unsettled, so that Kit does not begin here.
  return new Promise(() => undefined);
};
