import type { ConnectionStatus, Reader } from './status.ts';

/** What the leader of the tabs last learnt from the server. */
interface Exchange {
  readonly connection: ConnectionStatus;
  /** When the copy was last equal to the server, in milliseconds since 1970. */
  readonly equalAt: number;
}

/** A message between the tabs of one browser; `reader` is whose copy it is about. */
export type TabMessage = { readonly tab: number; readonly reader: Reader } & (
  | { readonly type: 'here'; readonly visible: boolean; readonly isNew: boolean }
  | { readonly type: 'gone' }
  /** For the leader: the server has reached this revision, or is to be asked whatever it has. */
  | { readonly type: 'wanted'; readonly revision: number | null }
  /** For the leader: a fresh copy is asked for. */
  | { readonly type: 'renew' }
  | ({ readonly type: 'exchange' } & Exchange)
  /** The tab has learnt that `of` reads now. */
  | { readonly type: 'reader'; readonly of: Reader }
);
