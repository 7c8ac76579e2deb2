import { expect } from 'vitest';
import { openHouse, type Answer, type House } from '../../support/house.ts';

export const LIVRES = '/api/livres';

export const livre = (titre: string, ...auteurs: string[]) => ({
  titre,
  auteurs,
  format: 'Physique',
});

export type Request = readonly [method: string, path: string, body?: object];

/** Sends a write as ana; returns the id of the modification. */
export async function act(house: House, ...[method, path, body]: Request): Promise<string> {
  const answer = await house.ask('ana', method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.headers.get('X-Modification') ?? '';
}

export const undo = (house: House, id: string): Promise<Answer> =>
  house.ask('ana', 'POST', `/api/modifications/${id}/annulation`);

export async function houseOf(...requests: readonly Request[]): Promise<House> {
  const house = await openHouse();
  for (const request of requests) await act(house, ...request);
  return house;
}

/** Undoes a modification without obstacles; returns the id of the undo. */
export async function undoAct(house: House, id: string, query = ''): Promise<string> {
  const path = `/api/modifications/${id}/annulation${query}`;
  const { status, headers, body } = await house.ask('ana', 'POST', path);
  expect(status, JSON.stringify(body)).toBe(201);
  return headers.get('X-Modification') ?? '';
}

/** The obstacles to undoing a modification, newest first. */
export const obstaclesTo = async (house: House, id: string): Promise<string[]> => {
  const { status, body } = await undo(house, id);
  expect(status, JSON.stringify(body)).toBe(409);
  return (body as { obstacles: { id: number }[] }).obstacles.map((each) => String(each.id));
};
