import type { Change } from '#shared/replication';
import type { KeptCheckpoint } from './envelope.ts';
import type { Event, Reader, State } from './states.ts';

/** A page that the tab that pulls has put on its screen. */
export interface HeardPage {
  readonly changes: readonly Change[];
  readonly checkpoint: KeptCheckpoint;
  /** How far the copy had come before; a tab whose copy is not there has missed a page. */
  readonly since: KeptCheckpoint | null;
  /** True where these are all records that there are, and no others. */
  readonly isAll: boolean;
}

/** What the tabs of one browser tell each other; `reader` is whose copy it is about. */
export type TabMessage = { readonly reader: Reader } & (
  | ({ readonly type: 'page' } & HeardPage)
  /** This tab has opened its copy, and shows it so far. */
  | { readonly type: 'opened'; readonly checkpoint: KeptCheckpoint | null }
  /** Another copy is in use. */
  | { readonly type: 'tookOver' }
  | { readonly type: 'status'; readonly trouble: State['trouble']; readonly equalAt: number }
  | {
      /** For the tab that pulls. */
      readonly type: 'pass';
      readonly event: Extract<Event, { type: 'told' | 'doubt' | 'renew' }>;
    }
  /** This tab has found out that `reader` reads now. */
  | { readonly type: 'reader' }
);

/** What a tab tells of the copy that it shows: whose it is is added. */
export type OwnMessage = TabMessage extends infer M
  ? M extends TabMessage
    ? Omit<M, 'reader'>
    : never
  : never;
