import { expect } from 'vitest';
import { knownHousehold, withoutOrder } from './compare.ts';
import { householdRows } from './household.ts';
import { act, houseOf, undo, type Request } from './requests.ts';

/** Two acts in a household, and why the first one is refused before the second is undone, if it is. */
export type Story = readonly [before: Request[], acts: Request[], raison?: string];

/**
 * Undoes the two acts in their order, the first one at last where the second is in its way: all is as it was, but
 * for the order of lists, of which the last act to be undone decides.
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
