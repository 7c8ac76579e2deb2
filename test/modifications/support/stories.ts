import { expect } from 'vitest';
import { householdRows } from './household.ts';
import { act, houseOf, undo, type Request } from './requests.ts';

/** Two acts in a household, and why the first one is refused before the second is taken back, if it is. */
export type Story = readonly [before: Request[], acts: Request[], raison?: string];

/** Takes the two acts back in their order, the first one at last where it was refused: all is as it was. */
export async function takesBackInOrder([before, acts, raison]: Story): Promise<void> {
  const house = await houseOf(...before);
  const { database } = house.context;
  const first = householdRows(database);
  const done: string[] = [];
  for (const request of acts) done.push(await act(house, ...request));
  const [one = '', two = ''] = done;
  const { body } = await undo(house, one);
  expect((body as { raison?: string }).raison).toBe(raison);
  expect((await undo(house, two)).status).toBe(201);
  if (raison !== undefined) expect((await undo(house, one)).status).toBe(201);
  expect(householdRows(database)).toEqual(first);
}
