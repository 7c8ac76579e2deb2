import { readdirSync } from 'node:fs';
import { Type, type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import type { Endpoint } from '#shared/endpoint';
import { hasOutline } from '#shared/outline';

/** Bodies that a proxy may return for any request. */
const NO_ANSWERS: readonly unknown[] = [{}, [], [{}], null, '', 'ok', 0, true];

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

const modules: object[] = [];
for (const name of readdirSync('shared')) {
  const module: unknown = await import(/* @vite-ignore */ `../../shared/${name}`);
  if (typeof module === 'object' && module !== null) modules.push(module);
}

const endpoints = modules
  .flatMap((module): unknown[] => Object.values(module))
  .filter(isEndpoint)
  .flatMap(({ method, path, type = 'application/json', response }) =>
    response === undefined || type !== 'application/json' ? [] : { method, path, response },
  );

test('no endpoint accepts a foreign body as its response', () => {
  expect(endpoints.length).toBeGreaterThan(100);
  const taken = endpoints.flatMap(({ method, path, response }) =>
    NO_ANSWERS.filter((answer) => hasOutline(response, answer) && !Check(response, answer)).map(
      (answer) => `${method} ${path}: ${JSON.stringify(answer)}`,
    ),
  );
  expect(taken).toEqual([]);
});

test.each<[string, TSchema, unknown]>([
  [
    'an object with more than it must have',
    Type.Object({ id: Type.Integer() }),
    { id: 1, more: 2 },
  ],
  ['a list', Type.Array(Type.Object({ id: Type.Integer() })), [{ id: 1 }]],
  ['an empty list', Type.Array(Type.Object({ id: Type.Integer() })), []],
  ['one of several shapes', Type.Union([Type.Null(), Type.Object({ a: Type.String() })]), null],
  ['what may be null', Type.Unsafe<null>({ type: ['object', 'null'] }), null],
  ['one of several values', Type.Unsafe<0 | 1>({ enum: [0, 1] }), 1],
])('an answer that is %s is taken', (_what, schema, answer) => {
  expect(hasOutline(schema, answer)).toBe(true);
});
