// Begins anew where a file of the first load did not come, as while the service is started again: without it the
// page stays dead, since a browser may remember a failed module as long as the page lives.
(() => {
  const KEY = 'rayonnage.starts';
  /** Before each new try, in milliseconds. */
  const PAUSES_MS = [500, 1000, 2000, 4000, 8000];
  /** Tries longer ago belong to another start. */
  const FORGOTTEN_MS = 60_000;
  let hasFailed = false;

  const isStarted = () => document.querySelector('#skeleton') === null;

  /** How often the start has failed on this page; infinitely where the browser keeps nothing. */
  function starts() {
    try {
      const [count = 0, time = 0] = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
      const next = Date.now() - time < FORGOTTEN_MS ? count + 1 : 1;
      sessionStorage.setItem(KEY, JSON.stringify([next, Date.now()]));
      return next;
    } catch {
      return Infinity;
    }
  }

  /** Whether the page would come by now: a sign-on's redirect, too, is an answer. */
  const isThere = () =>
    fetch(location.href, { cache: 'no-store', redirect: 'manual' }).then(
      ({ ok, type }) => ok || type === 'opaqueredirect',
      () => false,
    );

  async function tryAgain() {
    const pause = PAUSES_MS.at(starts() - 1);
    if (pause === undefined) {
      say();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (isStarted() && !lacksStyle()) return;
    if (await isThere()) location.reload();
    else await tryAgain();
  }

  function say() {
    document.querySelector('#skeleton')?.remove();
    const told = document.querySelector('#start-failed');
    if (!(told instanceof HTMLElement)) return;
    told.hidden = false;
    told.querySelector('button')?.addEventListener('click', () => location.reload());
  }

  const lacksStyle = () =>
    [...document.querySelectorAll('link[rel="stylesheet"]')].some(
      (link) => link.sheet === null && (named === null || named.has(link)),
    );

  /** Handles a failure: a browser need not report it. */
  function fail(event) {
    event.preventDefault();
    if (!hasFailed) void tryAgain();
    hasFailed = true;
  }

  /** The files that the page itself names, once it is read. */
  let named = null;
  addEventListener('DOMContentLoaded', () => {
    named = new Set(document.querySelectorAll('link, script'));
  });

  // A file that is named in the page, and one that a module asks for. Once the application is there, whoever has asked for a
  // part of it that does not come says so.
  const isFile = (target) =>
    target instanceof Element &&
    target.matches('link, script') &&
    (!isStarted() || named === null || named.has(target));
  const isModule = (reason) => /modul/i.test(String(reason));
  addEventListener('error', (event) => isFile(event.target) && fail(event), { capture: true });
  addEventListener('unhandledrejection', (event) => isModule(event.reason) && fail(event));
})();
