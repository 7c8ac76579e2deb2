import type { ConnectionStatus } from './failure.ts';

/** Whose copy: the user's name, or `null` for the one that nobody named. */
export type Reader = string | null;

/** Why the device does not keep what is on the screen: no room, or the browser keeps nothing. */
export type StorageTrouble = 'storageFull' | 'storageBlocked';

/** How one reader's copy stands. */
export interface CopyStatus {
  /** True once it is known what the device holds; that is on the screen. */
  readonly isOpen: boolean;
  /** True once a complete copy is on the screen. */
  readonly isComplete: boolean;
  /** The revision of the server's database that the screen shows. */
  readonly revision: number;
  /** True while this tab replicates for all the tabs of this reader. */
  readonly isLeader: boolean;
  readonly isPulling: boolean;
  /** How many changes have come of a copy that will replace a complete one; `null` while none is made. */
  readonly rebuilding: number | null;
  /** What the last try found. */
  readonly connection: ConnectionStatus;
  readonly storage: StorageTrouble | null;
  /** Since when the connection or the storage is not well, in milliseconds since 1970; `null` while both are. */
  readonly troubleSince: number | null;
  /** True where the browser has deleted the copy that this device had. */
  readonly isForgotten: boolean;
  /** When the copy was last equal to the server in this visit, by this page's clock; `-Infinity` before. */
  readonly equalAt: number;
  /** The same in milliseconds since 1970. */
  readonly equalOn: number | null;
}

export const CLOSED: CopyStatus = {
  isOpen: false,
  isComplete: false,
  revision: 0,
  isLeader: false,
  isPulling: false,
  rebuilding: null,
  connection: 'online',
  storage: null,
  troubleSince: null,
  isForgotten: false,
  equalAt: -Infinity,
  equalOn: null,
};

/** How the device stands: with the server, with its reader, and with the reader's copy. */
export interface DeviceStatus extends CopyStatus {
  /** Whose copy is open or opening; `undefined` before the first. */
  readonly reader: Reader | undefined;
  readonly visible: boolean;
}
