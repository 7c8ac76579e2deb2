import type { Change } from '#shared/replication';
import type { CopyName, KeptCheckpoint } from './envelope.ts';
import type { ConnectionStatus, PassedEvent, Reader } from './states.ts';

/** A page that the leader has put on its screen. */
export interface HeardPage {
  readonly changes: readonly Change[];
  readonly checkpoint: KeptCheckpoint;
  /** How far the copy had come before. A tab with another checkpoint has missed a page. */
  readonly since: KeptCheckpoint | null;
  /** True where `changes` are all records of the copy. */
  readonly isAll: boolean;
}

/** A message between the tabs of one browser; `reader` is whose copy it is about. */
export type TabMessage = { readonly reader: Reader } & (
  | ({ readonly type: 'page' } & HeardPage)
  /** This tab has opened its copy, and shows it so far. */
  | { readonly type: 'opened'; readonly checkpoint: KeptCheckpoint | null }
  /** Another copy is in use. A message of an earlier release leaves out which: the register tells. */
  | { readonly type: 'swapped'; readonly copy?: CopyName | null | undefined }
  | { readonly type: 'status'; readonly connection: ConnectionStatus; readonly equalAt: number }
  | {
      /** For the leader. */
      readonly type: 'pass';
      readonly event: PassedEvent;
    }
  /** This tab has learnt that `reader` reads now. */
  | { readonly type: 'reader' }
);

/** A message without its reader, which the engine adds. */
export type OwnMessage = TabMessage extends infer M
  ? M extends TabMessage
    ? Omit<M, 'reader'>
    : never
  : never;
