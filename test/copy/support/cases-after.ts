import { asks, NOW, pulls, retires, waiting, type Case } from './machine-case.ts';

/** What each event does once a pull has ended. */
export const after: readonly Case[] = [
  // Taking over.
  {
    from: 'taking',
    given: { stale: true },
    event: { type: 'tookOver', storage: null },
    to: 'current',
    effects: ['listen'],
    then: { whole: true, stale: false, takenAt: NOW },
  },

  {
    from: 'taking',
    given: { stale: true },
    event: { type: 'failed', kind: 'unreadable' },
    to: 'rebuilding',
    effects: ['discard', ...pulls],
  },

  // Equal to the server.
  {
    from: 'current',
    event: { type: 'hidden' },
    to: 'following',
    effects: retires,
    then: { visible: false, leads: false },
  },
  { from: 'current', event: { type: 'hint' }, to: 'behind', effects: pulls },
  { from: 'current', given: { equalAt: NOW - 9_000 }, event: { type: 'hint' }, to: 'current' },
  { from: 'current', event: { type: 'doubt' }, to: 'behind', effects: pulls },
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
  { from: 'current', event: { type: 'told', revision: 12 }, to: 'behind', effects: pulls },
  { from: 'current', event: { type: 'told', revision: 10 }, to: 'current' },
  { from: 'current', event: { type: 'timer' }, to: 'behind', effects: pulls },
  { from: 'current', event: { type: 'streamOpened' }, to: 'behind', effects: pulls },
  { from: 'current', event: { type: 'streamBroke' }, to: 'current', effects: ['wait'] },
  {
    from: 'current',
    event: { type: 'lost' },
    to: 'rebuilding',
    effects: pulls,
    then: { stale: true },
  },
  { from: 'current', event: { type: 'renew' }, to: 'rebuilding', effects: pulls },

  // After a failure.
  { from: 'waiting', given: waiting, event: { type: 'hidden' }, to: 'following', effects: retires },
  {
    from: 'waiting',
    given: waiting,
    event: { type: 'hint' },
    to: 'behind',
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
    event: { type: 'told', revision: 12 },
    to: 'behind',
    effects: pulls,
    then: { told: 0 },
  },
  {
    from: 'waiting',
    given: waiting,
    event: { type: 'streamOpened' },
    to: 'behind',
    effects: pulls,
  },
  {
    from: 'waiting',
    given: waiting,
    event: { type: 'streamBroke' },
    to: 'waiting',
    then: { streamAt: Infinity },
  },
  { from: 'waiting', given: waiting, event: { type: 'timer' }, to: 'behind', effects: pulls },
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
  { from: 'waiting', given: waiting, event: { type: 'renew' }, to: 'rebuilding', effects: pulls },
];
