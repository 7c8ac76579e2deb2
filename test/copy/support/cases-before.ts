import { asking, asks, following, NOW, offline, pulls, type Case } from './machine-case.ts';

/** What each event does before this tab pulls. */
export const before: readonly Case[] = [
  // A start, with and without a network.
  {
    from: 'stopped',
    event: { type: 'start', lastReader: 'alice', visible: true, online: true },
    to: 'identifying',
    effects: ['identify'],
  },
  {
    from: 'stopped',
    event: { type: 'start', lastReader: 'alice', visible: true, online: false },
    to: 'opening',
    effects: ['open'],
    then: { reader: 'alice', connection: 'offline', failures: 1 },
  },

  // Who reads.
  {
    from: 'identifying',
    given: { reader: undefined },
    event: { type: 'readerIs', reader: 'bob' },
    to: 'opening',
    effects: ['open'],
    then: { reader: 'bob', whole: false },
  },
  {
    from: 'identifying',
    event: { type: 'readerIs', reader: 'bob' },
    to: 'opening',
    effects: ['stopListening', 'resign', 'close', 'open'],
    then: { reader: 'bob', whole: false, isLeader: false },
  },
  {
    from: 'identifying',
    event: { type: 'readerIs', reader: 'alice' },
    to: 'catchingUp',
    effects: pulls,
    then: { connection: 'online' },
  },
  {
    from: 'identifying',
    given: { failures: 2, connection: 'offline' },
    event: { type: 'readerIs', reader: 'alice' },
    to: 'catchingUp',
    effects: pulls,
    then: { failures: 0 },
  },
  {
    from: 'identifying',
    given: { failures: 2 },
    event: { type: 'readerIs', reader: 'alice' },
    to: 'waiting',
    effects: ['wait'],
  },
  {
    from: 'identifying',
    given: { reader: undefined },
    event: offline,
    to: 'opening',
    effects: ['open'],
    then: { reader: 'alice', connection: 'offline' },
  },
  {
    from: 'identifying',
    event: offline,
    to: 'waiting',
    effects: ['wait'],
    then: { retry: 'identify' },
  },
  {
    from: 'identifying',
    given: { whole: false, stale: true },
    event: offline,
    to: 'waiting',
    effects: ['wait'],
    then: { retry: 'open' },
  },
  ...asking.map((from): Case => ({
    from,
    event: { type: 'otherReader' },
    to: 'identifying',
    effects: asks,
  })),

  // Opening.
  {
    from: 'opening',
    given: following,
    event: { type: 'opened', whole: true, stale: false, revision: 7 },
    to: 'following',
    effects: ['stopWaiting', 'requestLeadership'],
    then: { known: 7, whole: true },
  },
  {
    from: 'opening',
    event: { type: 'failed', kind: 'unreadable' },
    to: 'initialSync',
    effects: pulls,
    then: { whole: false, stale: true },
  },
  {
    from: 'opening',
    given: following,
    event: { type: 'failed', kind: 'unreadable' },
    to: 'following',
    effects: ['stopWaiting', 'requestLeadership', 'pass'],
  },
  {
    from: 'opening',
    given: { connection: 'offline' },
    event: { type: 'failed', kind: 'unreadable' },
    to: 'identifying',
    effects: asks,
    then: { whole: false, stale: true },
  },

  {
    from: 'opening',
    given: { whole: false },
    event: { type: 'otherReader' },
    to: 'identifying',
    effects: ['stopWaiting', 'stopListening', 'resign', 'close', 'identify'],
    then: { reader: undefined, isLeader: false, lastReader: 'alice' },
  },

  // Following another tab.
  {
    from: 'following',
    given: following,
    event: { type: 'visible' },
    to: 'following',
    effects: ['requestLeadership'],
  },
  { from: 'following', event: { type: 'hidden' }, to: 'following', effects: ['resign'] },
  {
    from: 'following',
    given: following,
    event: { type: 'leader', isLeader: true },
    to: 'catchingUp',
    effects: pulls,
  },
  {
    from: 'following',
    given: { ...following, whole: false },
    event: { type: 'leader', isLeader: true },
    to: 'initialSync',
    effects: pulls,
  },
  {
    from: 'following',
    given: { ...following, failures: 3, triedAt: NOW - 10 },
    event: { type: 'leader', isLeader: true },
    to: 'waiting',
    effects: ['wait'],
  },
  {
    from: 'following',
    event: { type: 'announced', revision: 12 },
    to: 'following',
    effects: ['pass'],
    then: { announced: 12 },
  },
  { from: 'following', event: { type: 'doubt' }, to: 'following', effects: ['pass'] },
  { from: 'following', event: { type: 'resync' }, to: 'following', effects: ['pass'] },
  {
    from: 'following',
    event: { type: 'heard', revision: 12, whole: true },
    to: 'following',
    then: { known: 12 },
  },
  {
    from: 'following',
    event: { type: 'status', connection: 'offline', equalAt: 5 },
    to: 'following',
    then: { connection: 'offline', equalAt: 5 },
  },
  {
    from: 'following',
    event: { type: 'opened', whole: true, stale: false, revision: 3 },
    to: 'following',
    then: { known: 3 },
  },
];
