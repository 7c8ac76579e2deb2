/** Whose copy: the user's name, or `null` for the one that nobody named. */
export type Reader = string | null;

/** How the device stands with the server. */
export type ConnectionStatus = 'online' | 'offline' | 'sessionExpired' | 'serverFailing';

/** Why the device does not keep what is on the screen: no room, or the browser keeps nothing. */
export type StorageTrouble = 'storageFull' | 'storageBlocked';

/** How one reader's copy stands. */
export interface CopyStatus {
  /** True once it is known what the device holds; that is on the screen. */
  readonly isOpen: boolean;
  /** True once a whole copy is on the screen. */
  readonly whole: boolean;
  /** The revision of the server's database that the screen shows. */
  readonly revision: number;
  /** The revision of a write that a copy being filled holds before earlier pages; 0 without one. */
  readonly ahead: number;
  /** True while this tab replicates for all the tabs of this reader. */
  readonly isLeader: boolean;
  readonly isPulling: boolean;
  /** How many changes have come of a copy that will replace a whole one; `null` while none is made. */
  readonly renewing: number | null;
  /** What the last try found. */
  readonly connection: ConnectionStatus;
  readonly storage: StorageTrouble | null;
  /** When the copy was last equal to the server in this visit; `-Infinity` before. */
  readonly equalAt: number;
}

export const CLOSED: CopyStatus = {
  isOpen: false,
  whole: false,
  revision: 0,
  ahead: 0,
  isLeader: false,
  isPulling: false,
  renewing: null,
  connection: 'online',
  storage: null,
  equalAt: -Infinity,
};

/** How the device stands: with the server, with its reader, and with the reader's copy. */
export interface DeviceStatus extends CopyStatus {
  /** Whose copy is open or opening; `undefined` before the first. */
  readonly reader: Reader | undefined;
  readonly visible: boolean;
}
