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
  /** @param isWhole whether all changes since the checkpoint are announced; else those before the opening are not */
  readonly opened: (isWhole: boolean) => void;
  /** Something readable has changed, up to this revision. */
  readonly announced: (revision: number) => void;
  /** Something has come, an announcement or a heartbeat. */
  readonly heard: () => void;
  /** The stream is closed. It is not opened again by itself. */
  readonly broke: () => void;
}

/** The link to the server. `lib/sync` fills it in: `connection` its state, `identity` whose it is, `this-device` what it calls. */
class Link {
  state: LinkState = 'online';
  /** True once the service itself has asked to sign in: its page is one of the application's own. */
  hasOwnSignIn = false;
  /** Called where an exchange has failed: the device checks the link. */
  failed = (): void => undefined;
  /** Called with what failed for no reason of the network, and what was asked. */
  fault: (error: unknown, what: string) => void = () => undefined;
  /** Who reads on this page, `undefined` while that is not known. */
  reader: () => string | null | undefined = () => undefined;
  /** Of which household the page shows records, `undefined` while that is not known. */
  household: () => string | undefined = () => undefined;
  /** Whose screen the page is, an object for each: what is answered to another one is told to nobody. */
  identity: () => object = () => this;
  /** Resolved once the screen shows a write, up to its revision, or will not soon. */
  waitForRevision: (revision: number) => Promise<void> = () => Promise.resolve();
  /** Pulls once, however fresh the replica is, and waits for the outcome. */
  catchUp: () => Promise<void> = () => Promise.resolve();
}

export const link = new Link();

/** @param from how far the replica has come, of which the server says whether it tells what came since; `null` for none */
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

/** A bare 401 or 403 is a dead end: whoever goes there has lost the application, and gained nothing. */
export async function redirectsToSignOn(): Promise<boolean> {
  const response = await fetch(location.href, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
    cache: 'no-store',
  });
  if (response.type === 'opaqueredirect' || response.ok) return true;
  return response.headers.has('www-authenticate') || WAY_IN.test(await response.text());
}
