import { backOff, type Chance } from './back-off.ts';
import type { FailureKind } from './failure.ts';
import type { Effect, State } from './states.ts';

/** The moment at which an event is met: milliseconds of the clock, and what the jitter is drawn from. */
export interface Moment {
  readonly now: number;
  readonly chance: Chance;
}

/** A new state and what is to be done; `null` where an event changes nothing. */
export type Step = readonly [Partial<State>, readonly Effect[]] | null;

/** Two tries that events bring about are at least so far apart, in milliseconds. */
export const FLOOR_MS = 3_000;

/** A copy that was equal to the server so lately needs no look, in milliseconds. */
export const FRESH_MS = 10_000;

/** Two pulls that need not be one at once are at least so far apart, in milliseconds. */
const APART_MS = 1_000;

/** How often room is looked for on a full device, in milliseconds. */
const SAVE_AGAIN_MS = 60_000;

/** A copy that is of no more use so soon after it took over is replaced later each time. */
const SETTLED_MS = 300_000;

/** A stream that has lived so long counts as one that works, in milliseconds. */
export const STREAM_LIVES_MS = 30_000;

export const none: readonly Effect[] = [];

/**
 * Begins the pull that the copy needs. It will see all that has been told until now: a revision
 * that it does not come to is one of another database, and must not have it begin again for ever.
 */
export function pull(state: State, { now }: Moment): Step {
  const phase = !state.whole ? 'firstCopy' : state.stale ? 'rebuilding' : 'behind';
  return [
    { phase, retry: 'pull', triedAt: now, dueAt: Infinity, again: false, told: 0 },
    [{ type: 'stopWaiting' }, { type: 'pull', into: phase === 'behind' ? 'inUse' : 'successor' }],
  ];
}

/** Does again what has failed. */
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

/** Brings the next try forward: never nearer to the last one than the floor, never later. */
export function forward(state: State, moment: Moment): Step {
  const dueAt = Math.max(moment.now, state.triedAt + FLOOR_MS);
  if (dueAt >= state.dueAt) return null;
  return dueAt === moment.now ? attempt(state, moment) : wait(dueAt - moment.now, moment);
}

/** Pulls, or a little later where a pull has just begun. */
export function pullSoon(state: State, moment: Moment): Step {
  const ms = state.triedAt + APART_MS - moment.now;
  if (ms <= 0) return pull(state, moment);
  return state.dueAt <= moment.now + ms ? null : wait(ms, moment);
}

/** Goes on once it is known whose copy it is: pulls, or leaves that to the tab that does. */
export function settle(state: State, moment: Moment): Step {
  const more = { phase: 'following', retry: 'pull', dueAt: Infinity } as const;
  const asked: readonly Effect[] = state.visible ? [{ type: 'lead' }] : none;
  // What this tab cannot read, the tab that pulls has to make anew.
  const unread: readonly Effect[] =
    state.stale && !state.whole ? [{ type: 'pass', event: { type: 'renew' } }] : none;
  if (!state.leads) return [more, [{ type: 'stopWaiting' }, ...asked, ...unread]];
  if (state.failures === 0) return pull(state, moment);
  const ms = backOff(state.failures, state.trouble === 'offline', moment.chance);
  return and({ phase: 'waiting', retry: 'pull' }, wait(ms, moment));
}

/** The same step from a state that has some more to it. */
export const and = (more: Partial<State>, step: Step): NonNullable<Step> => [
  { ...more, ...(step?.[0] ?? {}) },
  step?.[1] ?? none,
];

/** Lets another tab pull: nobody looks at this one. */
export const retire = (more: Partial<State>): Step => [
  { ...more, phase: 'following', leads: false, dueAt: Infinity },
  [{ type: 'stopWaiting' }, { type: 'stopListening' }, { type: 'yield' }],
];

export const TROUBLES: Partial<Record<FailureKind, NonNullable<State['trouble']>>> = {
  offline: 'offline',
  sessionExpired: 'sessionExpired',
};

/** Waits for the next try, twice as long each time. */
export function fail(state: State, kind: FailureKind, moment: Moment, retry = state.retry): Step {
  const trouble = TROUBLES[kind] ?? 'serverFailing';
  const failures = state.failures + 1;
  const more = { failures, trouble, retry, triedAt: moment.now };
  if (!state.visible) return retire(more);
  const ms = backOff(failures, trouble === 'offline', moment.chance);
  return and({ ...more, phase: 'waiting' }, wait(ms, moment));
}

/** Begins a successor of a copy that is of no more use; not at once where the last one is young. */
export function replace(state: State, moment: Moment): Step {
  const isYoung = moment.now - state.takenAt < SETTLED_MS;
  const more = { stale: true, earlyReplacements: isYoung ? state.earlyReplacements + 1 : 0 };
  if (!isYoung) return and(more, pull({ ...state, ...more }, moment));
  const ms = backOff(more.earlyReplacements, false, moment.chance);
  return and({ ...more, phase: 'waiting', retry: 'pull' }, wait(ms, moment));
}

/** The copy is equal to the server: listens for what comes, or pulls once more where it is not. */
export function equal(state: State, revision: number, moment: Moment): Step {
  const more = { known: revision, failures: 0, trouble: null, equalAt: moment.now };
  const then = { ...state, ...more };
  if (state.again || state.told > revision || state.stale) return and(more, pull(then, moment));
  if (!state.visible) return retire(more);
  const save = state.storage === 'storageFull' ? wait(SAVE_AGAIN_MS, moment) : null;
  const [timed, effects] = and({ ...more, phase: 'current' }, save);
  return [timed, [{ type: 'listen' }, ...effects]];
}

/** Nobody can say who reads: the one who read last is taken for the reader until a page tells. */
export const openLast = (
  known: Pick<State, 'lastReader' | 'visible' | 'trouble'>,
  now: number,
): Step => [
  { ...known, phase: 'opening', reader: known.lastReader, failures: 1, triedAt: now },
  [{ type: 'open', reader: known.lastReader }],
];
