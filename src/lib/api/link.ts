import {
  EVENTS_PATH,
  HEARTBEAT,
  type Checkpoint,
  type HeartbeatEvent,
  type RevisionEvent,
} from '#shared/replication';
import { href } from '../format/address.ts';
import { unsafeCast } from './unsafe-cast.ts';

export type LinkState = 'online' | 'offline' | 'sessionExpired' | 'otherHousehold';

export interface StreamListener {
  /** @param isWhole whether all changes since the checkpoint are announced, or only those after the opening */
  readonly opened: (isWhole: boolean) => void;
  /** Something readable has changed, up to this revision. */
  readonly announced: (revision: number) => void;
  /** An announcement or a heartbeat has arrived. */
  readonly heard: () => void;
  /** The stream is closed, and not reopened automatically. */
  readonly broke: () => void;
}

/**
 * The connection to the server, filled in by `lib/sync`: `connection` its state, `identity` its owner, `this-device`
 * its calls.
 */
class Link {
  state: LinkState = 'online';
  /** True once the service itself has required a sign-in: its page belongs to the application. */
  hasOwnSignIn = false;
  /** Called where an exchange has failed: the device checks the link. */
  failed = (): void => undefined;
  /** Called with failures other than of the network, and their context. */
  fault: (error: unknown, what: string) => void = () => undefined;
  /** The reader of this page, `undefined` if unknown. */
  reader: () => string | null | undefined = () => undefined;
  /** The household of this page, `undefined` if unknown. */
  household: () => string | undefined = () => undefined;
  /** The identity of the page, compared by reference: responses for another one are discarded. */
  identity: () => object = () => this;
  /** Resolved once the screen shows a write, up to its revision, or will not soon. */
  waitForRevision: (revision: number) => Promise<void> = () => Promise.resolve();
  /** Pulls once, however fresh the replica is, and waits for the outcome. */
  catchUp: () => Promise<void> = () => Promise.resolve();
}

export const link = new Link();

/** @param from the replica's progress, from which the server may resume; `null` without one */
export function listen(
  from: Checkpoint | null,
  { opened, announced, heard, broke }: StreamListener,
): () => void {
  const { epoque = '', revision = 0 } = from ?? {};
  const query = String(new URLSearchParams({ epoque, revision: String(revision) }));
  const source = new EventSource(href(from === null ? EVENTS_PATH : `${EVENTS_PATH}?${query}`));
  if (from === null) source.addEventListener('open', () => opened(false));
  else
    source.addEventListener(
      HEARTBEAT,
      ({ data }: MessageEvent<string>) => {
        opened(unsafeCast<HeartbeatEvent>(JSON.parse(data)).since === from.revision);
      },
      { once: true },
    );
  source.addEventListener('revision', ({ data }: MessageEvent<string>) => {
    heard();
    announced(unsafeCast<RevisionEvent>(JSON.parse(data)).revision);
  });
  source.addEventListener(HEARTBEAT, heard);
  source.addEventListener('error', () => {
    // Otherwise the browser opens it again at once, even while the server fails.
    source.close();
    broke();
  });
  return () => source.close();
}

/** A sign-in page has at least one of these elements. */
const WAY_IN = /<(?:form|input|button|script|iframe|a|meta\s+http-equiv)\b/i;

/** A bare 401 or 403 is a dead end: leaving the application for it would be useless. */
export async function redirectsToSignOn(): Promise<boolean> {
  const response = await fetch(location.href, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
    cache: 'no-store',
  });
  if (response.type === 'opaqueredirect' || response.ok) return true;
  return response.headers.has('www-authenticate') || WAY_IN.test(await response.text());
}
