import { backOff, type Chance } from './back-off.ts';
import type { FailureKind } from './failure.ts';
import type { ConnectionStatus, Effect, State } from './states.ts';

/** The moment of an event, in milliseconds of the clock, and the source of the jitter. */
export interface Moment {
  readonly now: number;
  readonly chance: Chance;
}

/** A change of the state and what is to be done; `null` where an event changes nothing. */
export type Step = readonly [Partial<State>, readonly Effect[]] | null;

/** The least time between two tries that events cause, in milliseconds. */
export const FLOOR_MS = 3_000;

/** A copy that was equal to the server this recently is fresh, in milliseconds. */
export const FRESH_MS = 10_000;

/** The least time between two pulls in a row, in milliseconds. */
const APART_MS = 1_000;

/** How often a full device tries to save again, in milliseconds. */
const SAVE_AGAIN_MS = 60_000;

/** A resync this soon after a swap waits longer each time, in milliseconds. */
const SETTLED_MS = 300_000;

/** A stream that was open this long ends the back-off of streams, in milliseconds. */
export const STREAM_LIVES_MS = 30_000;

export const none: readonly Effect[] = [];

/**
 * Begins the pull that the copy needs. What was announced before is forgotten: a revision that this pull
 * does not reach belongs to another database, and would make it begin again for ever.
 */
export function pull(state: State, { now }: Moment): Step {
  const phase = !state.whole ? 'initialSync' : state.stale ? 'resyncing' : 'catchingUp';
  return [
    { phase, retry: 'pull', triedAt: now, dueAt: Infinity, announced: 0 },
    [
      { type: 'stopWaiting' },
      { type: 'pull', into: phase === 'catchingUp' ? 'inUse' : 'successor' },
    ],
  ];
}

/** Repeats what failed. */
export function attempt(state: State, moment: Moment): Step {
  if (state.retry === 'pull') return pull(state, moment);
  const begun = { triedAt: moment.now, dueAt: Infinity };
  if (state.retry === 'identify')
    return [{ ...begun, phase: 'identifying' }, [{ type: 'stopWaiting' }, { type: 'identify' }]];
  const reader = state.reader ?? null;
  return [{ ...begun, phase: 'opening' }, [{ type: 'stopWaiting' }, { type: 'open', reader }]];
}

/** Sets the timer, in place of any before. */
export const wait = (ms: number, { now }: Moment): Step => [
  { dueAt: now + ms },
  [{ type: 'wait', ms }],
];

/** Brings the next try forward, but keeps `FLOOR_MS` between two tries. */
export function forward(state: State, moment: Moment): Step {
  const dueAt = Math.max(moment.now, state.triedAt + FLOOR_MS);
  if (dueAt >= state.dueAt) return null;
  return dueAt === moment.now ? attempt(state, moment) : wait(dueAt - moment.now, moment);
}

/** Pulls, but not within `APART_MS` of the last pull. */
export function pullSoon(state: State, moment: Moment): Step {
  const ms = state.triedAt + APART_MS - moment.now;
  if (ms <= 0) return pull(state, moment);
  return state.dueAt <= moment.now + ms ? null : wait(ms, moment);
}

/** Goes on once the reader is known: the leader pulls, another tab follows. */
export function settle(state: State, moment: Moment): Step {
  const more = { phase: 'following', retry: 'pull', dueAt: Infinity } as const;
  const asked: readonly Effect[] = state.visible ? [{ type: 'requestLeadership' }] : none;
  // A copy that this tab cannot read has to be made anew by the leader.
  const unread: readonly Effect[] =
    state.stale && !state.whole ? [{ type: 'pass', event: { type: 'resync' } }] : none;
  if (!state.isLeader) return [more, [{ type: 'stopWaiting' }, ...asked, ...unread]];
  if (state.failures === 0) return pull(state, moment);
  const ms = backOff(state.failures, state.connection === 'offline', moment.chance);
  return and({ phase: 'waiting', retry: 'pull' }, wait(ms, moment));
}

/** A step with some more changes of the state. */
export const and = (more: Partial<State>, step: Step): NonNullable<Step> => [
  { ...more, ...(step?.[0] ?? {}) },
  step?.[1] ?? none,
];

/** Lets another tab lead, because this page is hidden. */
export const retire = (more: Partial<State>): Step => [
  { ...more, phase: 'following', isLeader: false, dueAt: Infinity },
  [{ type: 'stopWaiting' }, { type: 'stopListening' }, { type: 'resign' }],
];

/** The connection that a failure tells of. */
export const connectionAfter = (kind: FailureKind): ConnectionStatus =>
  kind === 'offline' || kind === 'sessionExpired' ? kind : 'serverFailing';

/** Waits for the next try, with an exponential back-off. */
export function fail(state: State, kind: FailureKind, moment: Moment, retry = state.retry): Step {
  const connection = connectionAfter(kind);
  const failures = state.failures + 1;
  const more = { failures, connection, retry, triedAt: moment.now };
  if (!state.visible) return retire(more);
  const ms = backOff(failures, connection === 'offline', moment.chance);
  return and({ ...more, phase: 'waiting' }, wait(ms, moment));
}

/** Begins a successor; later each time where the last swap was recent. */
export function resync(state: State, moment: Moment): Step {
  const isYoung = moment.now - state.swappedAt < SETTLED_MS;
  const more = { stale: true, earlyResyncs: isYoung ? state.earlyResyncs + 1 : 0 };
  if (!isYoung) return and(more, pull({ ...state, ...more }, moment));
  const ms = backOff(more.earlyResyncs, false, moment.chance);
  return and({ ...more, phase: 'waiting', retry: 'pull' }, wait(ms, moment));
}

/** A pull is complete: listens to the stream, or pulls again where more was announced meanwhile. */
export function equal(state: State, revision: number, moment: Moment): Step {
  const more = { known: revision, failures: 0, connection: 'online' as const, equalAt: moment.now };
  const then = { ...state, ...more };
  if (state.announced > revision || state.stale) return and(more, pull(then, moment));
  if (!state.visible) return retire(more);
  const save = state.storage === 'storageFull' ? wait(SAVE_AGAIN_MS, moment) : null;
  const [timed, effects] = and({ ...more, phase: 'current' }, save);
  return [timed, [{ type: 'listen' }, ...effects]];
}

/** Opens the copy of the last reader, because the server does not say who reads. A page will tell. */
export const openLast = (
  known: Pick<State, 'lastReader' | 'visible' | 'connection'>,
  now: number,
): Step => [
  { ...known, phase: 'opening', reader: known.lastReader, failures: 1, triedAt: now },
  [{ type: 'open', reader: known.lastReader }],
];
