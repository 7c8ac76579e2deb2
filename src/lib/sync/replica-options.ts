import type { FirstPages } from './first-pages.ts';
import type { FirstScreen } from './first-screen.ts';
import type { Ports } from './ports.ts';
import type { Records } from './records.ts';
import type { ConnectionStatus, Reader } from './status.ts';
import type { Tabs } from './tabs.ts';

/** What a replica is opened with. */
export interface ReplicaOptions {
  readonly ports: Ports;
  readonly records: Records;
  readonly reader: Reader;
  /** Tells this application from another one of the same origin. */
  readonly installation: string;
  readonly tabs: Tabs;
  /** What is on the screen before the copy is open. */
  readonly firstScreen: FirstScreen;
  /** Called where the server names another reader. */
  readonly onOtherReader: () => void;
  /** The first pages that are on their way, for a device that has nothing yet. */
  readonly first: FirstPages | null;
  /** Called once another collection is on the screen than before. */
  readonly onTakeOver: () => void;
  /** What asking who reads has found. */
  readonly connection: ConnectionStatus;
}
