/** The state of an addition: what the card shows, and the actions at its foot. */
export const ADD_STATES = ['Idle', 'Looking', 'Found', 'Owned', 'Unknown', 'Added'] as const;
export type AddState = (typeof ADD_STATES)[number];

/**
 * The events of an addition: `ask` sends a code or words to the catalogues, `find` and `miss` are their answers,
 * `own` is the replica's; `write` fills the card by hand, `pick` chooses an edition, `copy` wants another copy; `add`
 * is the service's response, `undo` reverts it, `leave` drops the question.
 */
export const ADD_EVENTS = [
  'ask',
  'find',
  'miss',
  'own',
  'write',
  'pick',
  'copy',
  'add',
  'undo',
  'leave',
] as const;
export type AddEvent = (typeof ADD_EVENTS)[number];

/** The state after each event, by the state before; an event that a state does not name changes nothing. */
export const TRANSITIONS: Readonly<Record<AddState, Partial<Record<AddEvent, AddState>>>> = {
  Idle: { ask: 'Looking', own: 'Owned', write: 'Unknown', miss: 'Unknown', find: 'Found' },
  Looking: {
    ask: 'Looking',
    find: 'Found',
    own: 'Owned',
    miss: 'Unknown',
    // A scan list adds found books automatically, and may remove a code during its lookup.
    add: 'Added',
    leave: 'Idle',
  },
  Found: { ask: 'Looking', own: 'Owned', miss: 'Unknown', add: 'Added', leave: 'Idle' },
  Owned: {
    ask: 'Looking',
    miss: 'Unknown',
    pick: 'Found',
    copy: 'Found',
    add: 'Added',
    leave: 'Idle',
  },
  Unknown: { ask: 'Looking', find: 'Found', own: 'Owned', add: 'Added', leave: 'Idle' },
  Added: {
    ask: 'Looking',
    own: 'Owned',
    write: 'Unknown',
    miss: 'Unknown',
    copy: 'Found',
    undo: 'Found',
    leave: 'Idle',
  },
};

export const nextState = (state: AddState, event: AddEvent): AddState =>
  TRANSITIONS[state][event] ?? state;
