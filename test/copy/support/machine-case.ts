import {
  initialState,
  type Effect,
  type Event,
  type Phase,
  type State,
} from '../../../src/lib/sync/states.ts';

export const NOW = 1_000_000;

/** A tab that pulls for alice and has a whole copy, a while after the last pull. */
export const leading: State = {
  ...initialState,
  reader: 'alice',
  lastReader: 'alice',
  whole: true,
  isLeader: true,
  known: 10,
  announced: 10,
  triedAt: NOW - 60_000,
  equalAt: NOW - 60_000,
  streamAt: NOW - 60_000,
};
export const following: Partial<State> = { isLeader: false };
export const waiting: Partial<State> = { failures: 3, dueAt: NOW + 40_000, connection: 'offline' };

export interface Case {
  readonly from: Phase;
  readonly given?: Partial<State>;
  readonly event: Event;
  readonly to: Phase;
  readonly effects?: readonly Effect['type'][];
  readonly then?: Partial<State>;
}

export const pulls = ['stopWaiting', 'pull'] as const;
export const retires = ['stopWaiting', 'stopListening', 'resign'] as const;
export const asks = ['stopWaiting', 'identify'] as const;
export const offline: Event = { type: 'failed', kind: 'offline' };
export const page: Event = { type: 'page', revision: 12, storage: null };

/** What holds alike in several phases. */
export const everywhere = (phases: readonly Phase[], one: Omit<Case, 'from' | 'to'>): Case[] =>
  phases.map((phase) => ({ ...one, from: phase, to: phase }));

export const noting: readonly Phase[] = [
  'identifying',
  'opening',
  'initialSync',
  'resyncing',
  'catchingUp',
];
export const building: readonly Phase[] = ['initialSync', 'resyncing'];
export const asking: readonly Phase[] = [
  'following',
  'initialSync',
  'resyncing',
  'catchingUp',
  'swapping',
  'current',
  'waiting',
];
