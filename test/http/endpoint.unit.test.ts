import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { actsAsHousehold, keyHeaderOf, paramsOf, statusOf } from '#shared/endpoint';
import { IdParams } from '#shared/fields';
import { traiterLot } from '#shared/lots';

const read = { method: 'GET', path: '/api/series', summary: 'Les séries.' } as const;
const response = Type.Object({});

test.each([
  ['POST', 'Idempotency-Key'],
  ['PUT', 'X-Write-Key'],
  ['DELETE', 'X-Write-Key'],
])('a %s has its key in the header %s', (method, header) => {
  expect(keyHeaderOf(method)).toBe(header);
});

test('success is 200 with a body, 204 without, or the declared status', () => {
  expect(statusOf(read)).toBe(204);
  expect(statusOf({ ...read, response })).toBe(200);
  expect(statusOf({ ...read, response, status: 201 })).toBe(201);
});

test('a path with an id takes an integer, unless it declares another type', () => {
  const params = Type.Object({ id: Type.String() });
  expect(paramsOf(read)).toBeUndefined();
  expect(paramsOf({ ...read, path: '/api/series/:id/ordre' })).toBe(IdParams);
  expect(paramsOf({ ...read, path: '/api/cles/:id', params })).toBe(params);
  expect(paramsOf({ ...read, path: '/api/isbn/:isbn' })).toBeUndefined();
});

test('an act is the household’s always, never, or by its body', () => {
  const byBody = { actsAsHousehold: (body: unknown) => body === 'ours' };
  expect(actsAsHousehold({}, 'ours')).toBe(false);
  expect(actsAsHousehold({ actsAsHousehold: true }, null)).toBe(true);
  expect([actsAsHousehold(byBody, 'ours'), actsAsHousehold(byBody, 'mine')]).toEqual([true, false]);
});

test.each([
  [{ action: 'preter' }, true],
  [{ action: 'rendre' }, true],
  [{ action: 'serie' }, true],
  [{ action: 'statut' }, false],
  [{ action: 'supprimer' }, false],
  [{}, false],
  [null, false],
  ['preter', false],
])('a batch change of many books by %j is the household’s: %s', (body, expected) => {
  expect(actsAsHousehold(traiterLot, body)).toBe(expected);
});
