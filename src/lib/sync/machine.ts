import { backOff } from './back-off.ts';
import { initialState } from './states.ts';
import type { Effect, Event, EventType, Phase, State } from './states.ts';
import {
  and,
  attempt,
  equal,
  fail,
  FLOOR_MS,
  forward,
  FRESH_MS,
  none,
  openLast,
  pull,
  pullSoon,
  replace,
  retire,
  settle,
  STREAM_LIVES_MS,
  TROUBLES,
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

const noteVisible: Rule<'visible'> = () => [{ visible: true }, none];
const noteHidden: Rule<'hidden'> = () => [{ visible: false }, none];
const noteLeads: Rule<'leads'> = (_, { leads }) => [{ leads }, none];
const noteTold: Rule<'told'> = ({ told }, { revision }) => [
  { told: Math.max(told, revision) },
  none,
];
const askAgain = (): Step => [{ again: true }, none];
const becomeStale = (): Step => [{ stale: true }, none];
const identify = (): Step => [
  { phase: 'identifying', dueAt: Infinity },
  [{ type: 'stopWaiting' }, { type: 'identify' }],
];

const leaveReader: readonly Effect[] = [
  { type: 'stopListening' },
  { type: 'yield' },
  { type: 'close' },
];

const noteBrokenStream = ({ streamAt, brokenStreams }: State, { now }: Moment) => ({
  brokenStreams: now - streamAt > STREAM_LIVES_MS ? 1 : brokenStreams + 1,
  streamAt: Infinity,
});

/** What a tab does while a page of changes is on its way. */
const whilePulling: Row = {
  visible: noteVisible,
  hidden: noteHidden,
  leads: noteLeads,
  told: noteTold,
  doubt: askAgain,
  streamOpened: (_, __, { now }) => [{ again: true, streamAt: now }, none],
  streamBroke: (state, _, moment) => [noteBrokenStream(state, moment), none],
  otherReader: identify,
  lost: becomeStale,
  renew: becomeStale,
  page: (_, { revision, storage }) => [
    { known: revision, storage, failures: 0, trouble: null },
    none,
  ],
};

const failedOnce = ({ failures }: State, { now }: Moment) => ({
  failures: failures + 1,
  triedAt: now,
});

/** A successor that fails: tried again, begun anew, or made in memory. */
const failBuilding: Rule<'failed'> = (state, { kind }, moment) => {
  if (kind === 'otherReader') return and(failedOnce(state, moment), identify());
  if (kind !== 'foreignEpoch' && kind !== 'unreadable') return fail(state, kind, moment, 'pull');
  const discards = state.discards + 1;
  const effect: Effect = { type: kind === 'unreadable' && discards > 1 ? 'forget' : 'discard' };
  // A storage that fails is tried once more, then done without: in memory there is no third time.
  const next =
    kind === 'unreadable' && discards <= 2
      ? pull(state, moment)
      : fail({ ...state, failures: Math.max(state.failures, discards - 1) }, kind, moment, 'pull');
  const [change, effects] = and({ discards }, next);
  return [change, [effect, ...effects]];
};

/** What a tab does while a successor is filled, with nothing or with an older copy in use. */
const whileBuilding: Row = {
  ...whilePulling,
  lost: () => null,
  renew: () => null,
  // The copy in use has not come further by a page of its successor.
  page: (_, { storage }) => [{ storage, failures: 0, trouble: null }, none],
  complete: (_, { revision }) => [{ phase: 'taking', known: revision }, [{ type: 'takeOver' }]],
  failed: failBuilding,
};

/** Every transition of the copy: what an event does in a phase; nothing where there is no entry. */
export const table: Readonly<Record<Phase, Row>> = {
  stopped: {
    start: (_, { lastReader, visible, online }, { now }) =>
      online
        ? [{ phase: 'identifying', lastReader, visible }, [{ type: 'identify' }]]
        : openLast({ lastReader, visible, trouble: 'offline' }, now),
  },

  identifying: {
    visible: noteVisible,
    hidden: noteHidden,
    leads: noteLeads,
    told: noteTold,
    lost: becomeStale,
    renew: becomeStale,
    readerIs: (state, { reader }, moment) => {
      if (reader === state.reader) {
        // An answer ends the back-off, but not where pages go on naming somebody else.
        const failures = state.trouble === null ? state.failures : 0;
        const more = { trouble: null, failures };
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
      const trouble = TROUBLES[kind] ?? 'serverFailing';
      const { lastReader, visible } = state;
      return openLast({ lastReader, visible, trouble }, moment.now);
    },
  },

  opening: {
    visible: noteVisible,
    hidden: noteHidden,
    leads: noteLeads,
    told: noteTold,
    // Half a copy is on the screen: whoever it is that reads, it is opened from the beginning.
    otherReader: ({ reader, visible }) => [
      { ...initialState, phase: 'identifying', lastReader: reader ?? null, visible },
      [{ type: 'stopWaiting' }, ...leaveReader, { type: 'identify' }],
    ],
    renew: becomeStale,
    opened: (state, { whole, stale, revision }, moment) => {
      const more = { whole, stale, known: revision };
      return and(more, settle({ ...state, ...more }, moment));
    },
    // Without the server nothing can take its place: it is asked for, else the copy opened again.
    failed: (state, _, moment) => {
      const more = { whole: false, stale: true };
      if (state.trouble !== null) return and(more, identify());
      return and(more, settle({ ...state, ...more }, moment));
    },
  },

  following: {
    visible: () => [{ visible: true }, [{ type: 'lead' }]],
    hidden: () => [{ visible: false, leads: false }, [{ type: 'yield' }]],
    leads: (state, { leads }, moment) => {
      if (!leads) return [{ leads }, none];
      if (moment.now - state.triedAt >= FLOOR_MS) return and({ leads }, attempt(state, moment));
      return and({ leads }, settle({ ...state, leads }, moment));
    },
    told: ({ told }, event) => [
      { told: Math.max(told, event.revision) },
      [{ type: 'pass', event }],
    ],
    doubt: (_, event) => [{}, [{ type: 'pass', event }]],
    renew: (_, event) => [{}, [{ type: 'pass', event }]],
    lost: becomeStale,
    heard: (state, { revision, whole }) => [{ known: revision, whole: whole || state.whole }, none],
    status: (_, { trouble, equalAt }) => [{ trouble, equalAt }, none],
    opened: (_, { whole, stale, revision }) => [{ whole, stale, known: revision }, none],
    otherReader: identify,
  },

  firstCopy: whileBuilding,

  rebuilding: whileBuilding,

  behind: {
    ...whilePulling,
    complete: (state, { revision }, moment) => equal(state, revision, moment),
    failed: (state, { kind }, moment) => {
      if (kind === 'otherReader') return and(failedOnce(state, moment), identify());
      if (kind === 'foreignEpoch' || kind === 'unreadable') return replace(state, moment);
      return fail(state, kind, moment, 'pull');
    },
  },

  taking: {
    visible: noteVisible,
    hidden: noteHidden,
    leads: noteLeads,
    told: noteTold,
    doubt: askAgain,
    otherReader: identify,
    failed: failBuilding,
    tookOver: (state, { storage }, moment) => {
      const more = { whole: true, stale: false, storage, discards: 0, takenAt: moment.now };
      return and(more, equal({ ...state, ...more }, state.known, moment));
    },
  },

  current: {
    hidden: () => retire({ visible: false }),
    hint: (state, _, moment) =>
      moment.now - state.equalAt < FRESH_MS ? null : pull(state, moment),
    doubt: (state, _, moment) => pullSoon(state, moment),
    heard: ({ known }, { revision }) => [{ known: Math.max(known, revision) }, none],
    told: (state, { revision }, moment) =>
      revision > state.known ? and({ told: revision }, pull(state, moment)) : null,
    timer: (state, _, moment) => pull(state, moment),
    streamOpened: (state, _, moment) => and({ streamAt: moment.now }, pullSoon(state, moment)),
    streamBroke: (state, _, moment) => {
      const broken = noteBrokenStream(state, moment);
      const ms = backOff(broken.brokenStreams, false, moment.chance);
      return and(broken, state.dueAt < moment.now + ms ? null : wait(ms, moment));
    },
    lost: (state, _, moment) => replace(state, moment),
    renew: (state, _, moment) => and({ stale: true }, pull({ ...state, stale: true }, moment)),
    otherReader: identify,
  },

  waiting: {
    hidden: () => retire({ visible: false }),
    leads: noteLeads,
    hint: (state, _, moment) => forward(state, moment),
    told: (state, { revision }, moment) =>
      and({ told: Math.max(state.told, revision) }, forward(state, moment)),
    streamOpened: (state, _, moment) => and({ streamAt: moment.now }, forward(state, moment)),
    streamBroke: (state, _, moment) => [noteBrokenStream(state, moment), none],
    timer: (state, _, moment) => attempt(state, moment),
    lost: becomeStale,
    renew: (state, _, moment) => and({ stale: true }, forward({ ...state, stale: true }, moment)),
    otherReader: identify,
  },
};

/** What an event does: the state after it, and what is to be done. */
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
