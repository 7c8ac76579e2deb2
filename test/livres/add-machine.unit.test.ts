import { describe, expect, test } from 'vitest';
import {
  ADD_EVENTS,
  ADD_STATES,
  nextState,
  TRANSITIONS,
  type AddEvent,
  type AddState,
} from '../../src/lib/livres/add/add-machine.ts';
import { atLeastOne } from '../support/at-least-one.ts';

const walk = (...events: readonly AddEvent[]): AddState =>
  events.reduce<AddState>((state, event) => nextState(state, event), 'Idle');

describe('the addition of a book', () => {
  test.each<readonly [string, readonly AddEvent[], AddState]>([
    ['a code that a catalogue knows is found, then added', ['ask', 'find', 'add'], 'Added'],
    ['the next code is asked about without a press', ['ask', 'find', 'add', 'ask'], 'Looking'],
    ['a book of the house is shown, and nothing is added', ['own', 'find', 'write'], 'Owned'],
    ['of several editions another one than the owned is found', ['own', 'pick', 'add'], 'Added'],
    ['one more copy of it is wanted', ['own', 'copy', 'add'], 'Added'],
    ['a code that nobody knows is filled by hand', ['ask', 'miss', 'add'], 'Added'],
    ['a book without a code is written', ['write', 'add'], 'Added'],
    ['an addition that is undone comes back', ['ask', 'find', 'add', 'undo'], 'Found'],
    ['a lookup that is given up leaves nothing', ['ask', 'leave'], 'Idle'],
    ['the copy comes after the code', ['miss', 'own'], 'Owned'],
    ['without a network the code behind an owned one is none', ['own', 'miss'], 'Unknown'],
    ['a late answer of a question that was left is none', ['ask', 'leave', 'add'], 'Idle'],
  ])('%s', (_, events, state) => {
    expect(walk(...events)).toBe(state);
  });

  test('every state is reached, and left again by the next code', () => {
    const reached = new Set<AddState>(['Idle']);
    for (let before = 0; before < reached.size;) {
      before = reached.size;
      for (const state of [...reached])
        for (const event of ADD_EVENTS) reached.add(nextState(state, event));
    }
    expect([...reached].sort()).toEqual([...ADD_STATES].sort());
    for (const state of ADD_STATES) expect(nextState(state, 'ask'), state).toBe('Looking');
  });

  test('nothing is added that is not on the card', () => {
    const adding = ADD_STATES.filter((state) => TRANSITIONS[state].add !== undefined);
    expect(adding).toEqual(['Looking', 'Found', 'Owned', 'Unknown']);
    for (const state of atLeastOne(['Idle', 'Added'] as const))
      expect(nextState(state, 'add'), state).toBe(state);
  });

  test('an event that means nothing to a state changes nothing', () => {
    for (const state of ADD_STATES)
      for (const event of ADD_EVENTS)
        expect(nextState(state, event), `${state}, ${event}`).toBe(
          TRANSITIONS[state][event] ?? state,
        );
  });
});
