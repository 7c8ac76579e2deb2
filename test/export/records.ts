import { expect } from 'vitest';
import type { House } from '../support/house.ts';
import { archiveOf } from './archive.ts';
import { contentOf, importInto } from './support.ts';

type Records = Parameters<typeof archiveOf>[0];

/** Imports these records, checks the result, undoes the import, and checks that everything is as before. */
export async function importAndUndo(house: House, records: Records, check: () => Promise<void>) {
  const before = await contentOf(house);
  const { status, body } = await importInto(house, archiveOf(records));
  expect([status, body['refuses']]).toEqual([201, []]);
  await check();
  const path = `/api/importations/${String(body['id'])}`;
  const undone = await house.ask('ana', 'DELETE', path);
  expect(undone.body).toEqual({ retires: body['nouveaux'], gardes: 0 });
  expect(await contentOf(house)).toEqual(before);
}

/** A list of the API, as Ana. */
export const list = async <T>(house: House, path: string): Promise<T[]> =>
  (await house.ask('ana', 'GET', path)).body as T[];

export const DATE = '2020-05-06T07:08:09.000Z';
/** A book of an export. */
export const livre = (id: number, titre: string, more: object = {}) => ({
  id,
  titre,
  dateAjout: DATE,
  format: 'Physique',
  typeDocument: 'Roman',
  ...more,
});
