import { afterNavigate, beforeNavigate } from '$app/navigation';
import { page } from '$app/state';
import { href } from '$lib/format/address';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { identity, perIdentity, type Identity } from '$lib/sync/identity.svelte';
import { isOfHousehold } from '$lib/sync/other-household';
import type { Reader } from '$lib/sync/status';
import { attempt, device, POSITIONS } from '$lib/sync/this-device';
import { sideBySide } from '$lib/ui/media';
import { secondaryNav, destinations, isCurrent, type Destination } from './destinations.ts';

interface ListPosition {
  readonly search: string;
  readonly scrollY: number;
}

/** How long to wait for a list that is still too short, in milliseconds. */
const RESTORE_MS = 5_000;

/** How long the part above the list may change its height, in milliseconds. */
const SETTLE_MS = 500;

/** A route of the catalogue's layout, with an open book beside the list. */
const CATALOGUE = '/(catalogue)';

/** The scroll positions of this household's lists, by address. */
const positions = perIdentity(() => readPositions());
/** The identity of the last navigation. */
let shown: Identity | undefined;
let stopRestoring: (() => void) | undefined;

/** Restores the scroll position of each list: for a tab, after a reload, and on the way back. */
export function rememberScroll(): void {
  beforeNavigate(({ from, type, willUnload }) => {
    stopRestoring?.();
    // On the way back the address has changed already; otherwise it may have a newly typed search.
    const left = type === 'popstate' ? from?.url : new URL(location.href);
    // An address that another identity has left is theirs.
    if (from !== null && left !== undefined && shown === identity.current)
      keep(from.route.id, left);
    if (willUnload) writePositions();
  });
  afterNavigate(({ from, to, type }) => {
    shown = identity.current;
    if (to === null) return;
    const position = positions().get(to.url.pathname);
    if (position?.search !== to.url.search) return;
    if (type === 'enter' ? isReload() : isReturn(from?.route.id ?? null, from?.url, to.url, type))
      restore(position.scrollY);
  });
}

export function hrefOf(destination: Destination): string {
  const address = href(destination.path);
  if (isCurrent(destination, page.url.pathname)) return address;
  return address + (positions().get(address)?.search ?? '');
}

function keep(routeId: string | null, url: URL): void {
  const isBeside = sideBySide.current && routeId?.startsWith(CATALOGUE) === true;
  const path = isBeside ? href('/') : url.pathname;
  positions().set(path, { search: url.search, scrollY });
}

function isReturn(fromRoute: string | null, from: URL | undefined, to: URL, type: string): boolean {
  if (type === 'popstate') return true;
  if (from?.pathname === to.pathname) return false;
  if (sideBySide.current && to.pathname === href('/') && fromRoute?.startsWith(CATALOGUE))
    return false;
  return [...destinations, ...secondaryNav].some(({ path }) => href(path) === to.pathname);
}

const isReload = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && entry.type !== 'navigate');

/** Scrolls, and again while the page changes its height, until the reader scrolls. */
function restore(target: number): void {
  stopRestoring?.();
  const controller = new AbortController();
  const begin = performance.now();
  let reached: number | null = null;
  stopRestoring = () => controller.abort();
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(event, () => controller.abort(), { signal: controller.signal, passive: true });
  const scrollOnce = (now: number): void => {
    if (controller.signal.aborted) return;
    if (Math.abs(scrollY - target) > 1) scrollTo(0, target);
    const isThere = document.documentElement.scrollHeight - innerHeight >= target;
    if (isThere) reached ??= now;
    if (now - (reached ?? begin) > (isThere ? SETTLE_MS : RESTORE_MS)) controller.abort();
    else requestAnimationFrame(scrollOnce);
  };
  scrollOnce(begin);
}

/** The stored positions of a tab, with their owner. */
interface StoredPositions {
  readonly reader: Reader;
  readonly household: string;
  readonly places: readonly [string, ListPosition][];
}

function readPositions(): Map<string, ListPosition> {
  const read = () => {
    const text = sessionStorage.getItem(POSITIONS);
    const kept = text === null ? null : unsafeCast<Partial<StoredPositions>>(JSON.parse(text));
    return new Map(kept !== null && isOurs(kept) ? kept.places : []);
  };
  return attempt('reading where the lists were', read) ?? new Map<string, ListPosition>();
}

/** At a start, before the reader is known, the last reader's. */
function isOurs({ reader, household = '' }: Partial<StoredPositions>): boolean {
  const { reader: shownReader = device.lastReader?.utilisateur ?? null, bibliotheque } =
    device.status;
  return reader === shownReader && isOfHousehold(household, bibliotheque);
}

/** Nothing is stored after a sign-out, when the replica is closed. */
function writePositions(): void {
  const { reader, bibliotheque: household } = device.status;
  if (reader === undefined) return;
  const kept: StoredPositions = { reader, household, places: [...positions()] };
  attempt('keeping where the lists are', () =>
    sessionStorage.setItem(POSITIONS, JSON.stringify(kept)),
  );
}
