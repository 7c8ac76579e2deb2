import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Endpoint } from '#shared/endpoint';
import { atLeastOne } from '../support/at-least-one.ts';
import { send, serve } from '../support/server.ts';

interface Schema {
  readonly type?: unknown;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

const modules = await Promise.all(
  globSync('shared/*.ts').map(
    (path): Promise<Record<string, unknown>> => import(/* @vite-ignore */ `../../${path}`),
  ),
);

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

const endpoints = modules.flatMap((module) => Object.values(module).filter(isEndpoint));

/** Every array of a schema, with the names that lead to it. */
function arraysOf(schema: Schema, path: readonly string[] = []): [string[], Schema][] {
  const own: [string[], Schema][] = [schema.type].flat().includes('array')
    ? [[[...path], schema]]
    : [];
  return [
    ...own,
    ...(schema.anyOf ?? []).flatMap((branch) => arraysOf(branch, path)),
    ...(schema.items ? arraysOf(schema.items, [...path, '0']) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      arraysOf(property, [...path, name]),
    ),
  ];
}

const arrays = endpoints.flatMap(({ method, path, body }) =>
  body === undefined
    ? []
    : arraysOf(body).map(([names, schema]) => ({ method, path, names, schema })),
);

/** Endpoints that exist with accounts only. */
const isOfAccounts = (path: string): boolean => /^\/api\/(?:moi\/cles-acces|connexion)/.test(path);

/** A body with only an array at a path. */
const bodyWith = (names: readonly string[], array: unknown): unknown =>
  names.reduceRight((inner: unknown, name) => (name === '0' ? [inner] : { [name]: inner }), array);

test('every array of a request has a greatest length', () => {
  expect(arrays.length).toBeGreaterThan(5);
  expect(arrays.filter(({ schema }) => schema.maxItems === undefined)).toEqual([]);
});

test('every long array is refused in few words', { tags: 'large' }, async () => {
  const { url } = await serve();
  for (const { method, path, names } of atLeastOne(arrays))
    // Below and above the maximum number of values in a body.
    for (const length of [19_000, 20_001])
      for (const item of [1, 'x', {}, null]) {
        const { status, json } = await send(url + path.replace(':id', '1'), {
          method,
          headers: ['Content-Type', 'application/json', 'SSO_USER', 'alice'],
          body: JSON.stringify(bodyWith(names, Array<unknown>(length).fill(item))),
        });
        const asked = `${method} ${path} ${names.join('.')} of ${length} ${JSON.stringify(item)}`;
        expect(status, asked).toBe(isOfAccounts(path) ? 404 : 400);
        const { champs = isOfAccounts(path) ? [] : null } = json();
        expect(Array.isArray(champs) ? champs.length : Infinity, asked).toBeLessThanOrEqual(20);
      }
});

test('an array too long is refused for its length alone', async () => {
  const { url } = await serve();
  const { status, json } = await send(`${url}/api/livres`, {
    method: 'POST',
    headers: ['Content-Type', 'application/json'],
    body: JSON.stringify({ titre: 5, auteurs: Array<number>(101).fill(1) }),
  });
  expect(status).toBe(400);
  expect(json()['champs']).toMatchObject([
    { champ: 'format', message: 'doit être donné' },
    { champ: 'titre', message: 'doit être un texte' },
    { champ: 'auteurs', message: 'ne doit pas compter plus de 100 éléments' },
  ]);
});
