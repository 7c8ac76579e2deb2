import { backOff } from './back-off.ts';
import { initialState } from './states.ts';
import type { Effect, Event, EventType, Phase, State } from './states.ts';
import {
  and,
  attempt,
  connectionAfter,
  equal,
  fail,
  FLOOR_MS,
  forward,
  FRESH_MS,
  none,
  openLast,
  pull,
  pullSoon,
  resync,
  retire,
  settle,
  STREAM_LIVES_MS,
  wait,
  type Moment,
  type Step,
} from './steps.ts';

type Rule<T extends EventType> = (
  state: State,
  event: Extract<Event, { type: T }>,
  moment: Moment,
) => Step;

type Row = { readonly [T in EventType]?: Rule<T> };

/** What is noted while something else is under way, and counts once that is done. */
const noting = {
  visible: () => [{ visible: true }, none],
  hidden: () => [{ visible: false }, none],
  leader: (_, { isLeader }) => [{ isLeader }, none],
  announced: ({ announced }, { revision }) => [{ announced: Math.max(announced, revision) }, none],
} satisfies Row;
const pullAgain = (): Step => [{ announced: Infinity }, none];
const markStale = (): Step => [{ stale: true }, none];
const identify = (): Step => [
  { phase: 'identifying', dueAt: Infinity },
  [{ type: 'stopWaiting' }, { type: 'identify' }],
];

const leaveReader: readonly Effect[] = [
  { type: 'stopListening' },
  { type: 'resign' },
  { type: 'close' },
];

const noteBrokenStream = ({ streamAt, brokenStreams }: State, { now }: Moment) => ({
  brokenStreams: now - streamAt > STREAM_LIVES_MS ? 1 : brokenStreams + 1,
  streamAt: Infinity,
});

/** While a page of changes is on its way. */
const whilePulling: Row = {
  ...noting,
  doubt: pullAgain,
  streamOpened: (_, __, { now }) => [{ announced: Infinity, streamAt: now }, none],
  streamBroke: (state, _, moment) => [noteBrokenStream(state, moment), none],
  otherReader: identify,
  lost: markStale,
  resync: markStale,
  page: (_, { revision, storage }) => [
    { known: revision, storage, failures: 0, connection: 'online' },
    none,
  ],
};

const failedOnce = ({ failures }: State, { now }: Moment) => ({
  failures: failures + 1,
  triedAt: now,
});

/** A failing successor is tried again, begun anew, or made in memory. */
const failBuilding: Rule<'failed'> = (state, { kind }, moment) => {
  if (kind === 'otherReader') return and(failedOnce(state, moment), identify());
  if (kind !== 'foreignEpoch' && kind !== 'unreadable') return fail(state, kind, moment, 'pull');
  const discards = state.discards + 1;
  const effect: Effect = { type: kind === 'unreadable' && discards > 1 ? 'forget' : 'discard' };
  // A storage that fails is tried once more; after that the copy is kept in memory.
  const next =
    kind === 'unreadable' && discards <= 2
      ? pull(state, moment)
      : fail({ ...state, failures: Math.max(state.failures, discards - 1) }, kind, moment, 'pull');
  const [change, effects] = and({ discards }, next);
  return [change, [effect, ...effects]];
};

/** While a successor is filled, with or without an older copy in use. */
const whileBuilding: Row = {
  ...whilePulling,
  lost: () => null,
  resync: () => null,
  // A page of the successor leaves the revision of the copy in use as it is.
  page: (_, { storage }) => [{ storage, failures: 0, connection: 'online' }, none],
  complete: (_, { revision }) => [{ phase: 'swapping', known: revision }, [{ type: 'swap' }]],
  failed: failBuilding,
};

/** Every transition: what an event does in a phase. An event without an entry does nothing. */
export const table: Readonly<Record<Phase, Row>> = {
  stopped: {
    start: (_, { lastReader, visible, online }, { now }) =>
      online
        ? [{ phase: 'identifying', lastReader, visible }, [{ type: 'identify' }]]
        : openLast({ lastReader, visible, connection: 'offline' }, now),
  },

  identifying: {
    ...noting,
    lost: markStale,
    resync: markStale,
    readerIs: (state, { reader }, moment) => {
      if (reader === state.reader) {
        // An answer ends the back-off, unless the pages keep naming another reader.
        const failures = state.connection === 'online' ? state.failures : 0;
        const more = { connection: 'online' as const, failures };
        return and(more, settle({ ...state, ...more }, moment));
      }
      const { visible } = state;
      const left = state.reader === undefined ? none : leaveReader;
      return [
        { ...initialState, phase: 'opening', reader, lastReader: reader, visible },
        [...left, { type: 'open', reader }],
      ];
    },
    failed: (state, { kind }, moment) => {
      const unopened = !state.whole && state.stale;
      if (state.reader !== undefined)
        return fail(state, kind, moment, unopened ? 'open' : 'identify');
      const connection = connectionAfter(kind);
      const { lastReader, visible } = state;
      return openLast({ lastReader, visible, connection }, moment.now);
    },
  },

  opening: {
    ...noting,
    // Half a copy is on the screen: it is opened anew, even for the same reader.
    otherReader: ({ reader, visible }) => [
      { ...initialState, phase: 'identifying', lastReader: reader ?? null, visible },
      [{ type: 'stopWaiting' }, ...leaveReader, { type: 'identify' }],
    ],
    resync: markStale,
    opened: (state, { whole, stale, revision }, moment) => {
      const more = { whole, stale, known: revision };
      return and(more, settle({ ...state, ...more }, moment));
    },
    // Only the server can replace the copy. While it is out of reach the copy is opened again.
    failed: (state, _, moment) => {
      const more = { whole: false, stale: true };
      if (state.connection !== 'online') return and(more, identify());
      return and(more, settle({ ...state, ...more }, moment));
    },
  },

  following: {
    visible: () => [{ visible: true }, [{ type: 'requestLeadership' }]],
    hidden: () => [{ visible: false, isLeader: false }, [{ type: 'resign' }]],
    leader: (state, { isLeader }, moment) => {
      if (!isLeader) return [{ isLeader }, none];
      if (moment.now - state.triedAt >= FLOOR_MS) return and({ isLeader }, attempt(state, moment));
      return and({ isLeader }, settle({ ...state, isLeader }, moment));
    },
    announced: ({ announced }, event) => [
      { announced: Math.max(announced, event.revision) },
      [{ type: 'pass', event }],
    ],
    doubt: (_, event) => [{}, [{ type: 'pass', event }]],
    resync: (_, event) => [{}, [{ type: 'pass', event }]],
    lost: markStale,
    heard: (state, { revision, whole }) => [{ known: revision, whole: whole || state.whole }, none],
    status: (_, { connection, equalAt }) => [{ connection, equalAt }, none],
    opened: (_, { whole, stale, revision }) => [{ whole, stale, known: revision }, none],
    otherReader: identify,
  },

  initialSync: whileBuilding,

  resyncing: whileBuilding,

  catchingUp: {
    ...whilePulling,
    complete: (state, { revision }, moment) => equal(state, revision, moment),
    failed: (state, { kind }, moment) => {
      if (kind === 'otherReader') return and(failedOnce(state, moment), identify());
      if (kind === 'foreignEpoch' || kind === 'unreadable') return resync(state, moment);
      return fail(state, kind, moment, 'pull');
    },
  },

  swapping: {
    ...noting,
    doubt: pullAgain,
    otherReader: identify,
    failed: failBuilding,
    swapped: (state, { storage }, moment) => {
      const more = { whole: true, stale: false, storage, discards: 0, swappedAt: moment.now };
      return and(more, equal({ ...state, ...more }, state.known, moment));
    },
  },

  current: {
    hidden: () => retire({ visible: false }),
    hint: (state, _, moment) =>
      moment.now - state.equalAt < FRESH_MS ? null : pull(state, moment),
    doubt: (state, _, moment) => pullSoon(state, moment),
    heard: ({ known }, { revision }) => [{ known: Math.max(known, revision) }, none],
    announced: (state, { revision }, moment) =>
      revision > state.known ? and({ announced: revision }, pull(state, moment)) : null,
    timer: (state, _, moment) => pull(state, moment),
    streamOpened: (state, _, moment) => and({ streamAt: moment.now }, pullSoon(state, moment)),
    streamBroke: (state, _, moment) => {
      const broken = noteBrokenStream(state, moment);
      const ms = backOff(broken.brokenStreams, false, moment.chance);
      return and(broken, state.dueAt < moment.now + ms ? null : wait(ms, moment));
    },
    lost: (state, _, moment) => resync(state, moment),
    resync: (state, _, moment) => and({ stale: true }, pull({ ...state, stale: true }, moment)),
    otherReader: identify,
  },

  waiting: {
    hidden: () => retire({ visible: false }),
    leader: noting.leader,
    hint: (state, _, moment) => forward(state, moment),
    announced: (state, { revision }, moment) =>
      and({ announced: Math.max(state.announced, revision) }, forward(state, moment)),
    streamOpened: (state, _, moment) => and({ streamAt: moment.now }, forward(state, moment)),
    streamBroke: (state, _, moment) => [noteBrokenStream(state, moment), none],
    timer: (state, _, moment) => attempt(state, moment),
    lost: markStale,
    resync: (state, _, moment) => and({ stale: true }, forward({ ...state, stale: true }, moment)),
    otherReader: identify,
  },
};

/** The state after an event, and what is to be done. */
export function step(
  state: State,
  event: Event,
  moment: Moment,
): { readonly state: State; readonly effects: readonly Effect[] } {
  const result = ruleFor(state.phase, event)?.(state, event, moment) ?? null;
  if (result === null) return { state, effects: none };
  const [change, effects] = result;
  return { state: { ...state, ...change }, effects };
}

/** The table's entry for an event of this type. */
function ruleFor<T extends EventType>(
  phase: Phase,
  { type }: { readonly type: T },
): Rule<T> | undefined {
  return table[phase][type];
}
