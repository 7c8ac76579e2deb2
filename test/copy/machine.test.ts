import { describe, expect, test } from 'vitest';
import { step, table } from '../../src/lib/sync/machine.ts';
import type { Event, EventType } from '../../src/lib/sync/states.ts';
import { after as afterPulls } from './support/cases-after.ts';
import { before as beforePulls } from './support/cases-before.ts';
import { pulling } from './support/cases-pulling.ts';
import { leading, NOW, type Case } from './support/machine-case.ts';

const cases = [...beforePulls, ...pulling, ...afterPulls];

const name = ({ from, given, event, to }: Case): string =>
  [from, given ? JSON.stringify(given) : '', JSON.stringify(event), '→', to].join(' ');

describe('the machine', () => {
  test.each(cases.map((one) => [name(one), one] as const))('%s', (_, one) => {
    const { from, given = {}, event, to, effects = [], then = {} } = one;
    const before = { ...leading, ...given, phase: from };
    const after = step(before, event, { now: NOW, chance: () => 0.5 });
    expect(after.state.phase).toBe(to);
    expect(after.effects.map(({ type }) => type)).toEqual(effects);
    expect(after.state).toMatchObject(then);
  });

  test('has a test for every transition', () => {
    const told = new Set(cases.map(({ from, event }) => `${from} ${event.type}`));
    const all = Object.entries(table).flatMap(([phase, row]) =>
      Object.keys(row).map((type) => `${phase} ${type}`),
    );
    expect(all.filter((one) => !told.has(one))).toEqual([]);
  });

  test('leaves a state alone where the table has nothing to say', () => {
    const types: readonly EventType[] = ['timer', 'complete', 'opened'];
    const events: readonly Event[] = [
      { type: 'timer' },
      { type: 'complete', revision: 1 },
      { type: 'opened', whole: true, stale: false, revision: 1 },
    ];
    for (const phase of ['stopped', 'identifying', 'swapping'] as const)
      for (const event of events.filter(({ type }) => types.includes(type)))
        expect(step({ ...leading, phase }, event, { now: NOW, chance: () => 0 })).toEqual({
          state: { ...leading, phase },
          effects: [],
        });
  });
});
