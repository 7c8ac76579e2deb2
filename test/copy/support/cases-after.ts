import { asks, NOW, pulls, retires, waiting, type Case } from './machine-case.ts';

/** What each event does once a pull has ended. */
export const after: readonly Case[] = [
  // Taking over.
  {
    from: 'swapping',
    given: { stale: true },
    event: { type: 'swapped', storage: null },
    to: 'current',
    effects: ['listen'],
    then: { whole: true, stale: false, swappedAt: NOW },
  },

  {
    from: 'swapping',
    given: { stale: true },
    event: { type: 'failed', kind: 'unreadable' },
    to: 'resyncing',
    effects: ['discard', ...pulls],
  },

  // Equal to the server.
  {
    from: 'current',
    event: { type: 'hidden' },
    to: 'following',
    effects: retires,
    then: { visible: false, isLeader: false },
  },
  { from: 'current', event: { type: 'hint' }, to: 'catchingUp', effects: pulls },
  { from: 'current', given: { equalAt: NOW - 9_000 }, event: { type: 'hint' }, to: 'current' },
  { from: 'current', event: { type: 'doubt' }, to: 'catchingUp', effects: pulls },
  {
    from: 'current',
    given: { triedAt: NOW - 10 },
    event: { type: 'doubt' },
    to: 'current',
    effects: ['wait'],
  },
  {
    from: 'current',
    event: { type: 'heard', revision: 12, whole: true },
    to: 'current',
    then: { known: 12 },
  },
  { from: 'current', event: { type: 'announced', revision: 12 }, to: 'catchingUp', effects: pulls },
  { from: 'current', event: { type: 'announced', revision: 10 }, to: 'current' },
  { from: 'current', event: { type: 'timer' }, to: 'catchingUp', effects: pulls },
  { from: 'current', event: { type: 'streamOpened' }, to: 'catchingUp', effects: pulls },
  { from: 'current', event: { type: 'streamBroke' }, to: 'current', effects: ['wait'] },
  {
    from: 'current',
    event: { type: 'lost' },
    to: 'resyncing',
    effects: pulls,
    then: { stale: true },
  },
  { from: 'current', event: { type: 'resync' }, to: 'resyncing', effects: pulls },

  // After a failure.
  { from: 'waiting', given: waiting, event: { type: 'hidden' }, to: 'following', effects: retires },
  {
    from: 'waiting',
    given: waiting,
    event: { type: 'hint' },
    to: 'catchingUp',
    effects: pulls,
    then: { failures: 3 },
  },
  {
    from: 'waiting',
    given: { ...waiting, triedAt: NOW - 1_000 },
    event: { type: 'hint' },
    to: 'waiting',
    effects: ['wait'],
    then: { dueAt: NOW + 2_000 },
  },
  {
    from: 'waiting',
    given: { ...waiting, dueAt: NOW - 1 },
    event: { type: 'hint' },
    to: 'waiting',
  },
  {
    from: 'waiting',
    given: waiting,
    event: { type: 'announced', revision: 12 },
    to: 'catchingUp',
    effects: pulls,
    then: { announced: 0 },
  },
  {
    from: 'waiting',
    given: waiting,
    event: { type: 'streamOpened' },
    to: 'catchingUp',
    effects: pulls,
  },
  {
    from: 'waiting',
    given: waiting,
    event: { type: 'streamBroke' },
    to: 'waiting',
    then: { streamAt: Infinity },
  },
  { from: 'waiting', given: waiting, event: { type: 'timer' }, to: 'catchingUp', effects: pulls },
  {
    from: 'waiting',
    given: { ...waiting, retry: 'open' },
    event: { type: 'timer' },
    to: 'opening',
    effects: ['stopWaiting', 'open'],
  },
  {
    from: 'waiting',
    given: { ...waiting, retry: 'identify' },
    event: { type: 'timer' },
    to: 'identifying',
    effects: asks,
  },
  { from: 'waiting', given: waiting, event: { type: 'resync' }, to: 'resyncing', effects: pulls },
];
