import { expect } from 'vitest';
import { knownHousehold, withoutOrder } from './compare.ts';
import { householdRows } from './household.ts';
import { act, houseOf, undo, type Request } from './requests.ts';

/** Two modifications in a household; the reason is given if the first cannot be undone before the second. */
export type Story = readonly [before: Request[], acts: Request[], raison?: string];

/**
 * Undoes both modifications in their order, or the second one first if it is an obstacle. The household must be as
 * before, except for the order of lists, which depends on the order of undoing.
 */
export async function undoesInOrder([before, acts, raison]: Story): Promise<void> {
  const house = await houseOf(...before);
  const { database } = house.context;
  const rows = householdRows(database);
  const state = () => withoutOrder(knownHousehold(database, rows));
  const first = state();
  const done: string[] = [];
  for (const request of acts) done.push(await act(house, ...request));
  const [one = '', two = ''] = done;
  const { body } = await undo(house, one);
  expect((body as { raison?: string }).raison).toBe(raison);
  if (raison !== undefined) expect(body).toMatchObject({ obstacles: [{ id: Number(two) }] });
  expect((await undo(house, two)).status).toBe(201);
  if (raison !== undefined) expect((await undo(house, one)).status).toBe(201);
  expect(state()).toEqual(first);
}
