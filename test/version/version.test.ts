import { expect, test } from 'vitest';
import { builtClient } from '../support/client.ts';
import { send, serve } from '../support/server.ts';

const UNKNOWN = { numero: null, publiee: false, dateConstruction: null, construction: null };
const published = {
  numero: '1.2.3',
  publiee: true,
  dateConstruction: '2026-11-20T08:00:00.000Z',
  construction: '6b1f',
};
const unpublished = { ...UNKNOWN, construction: '6b1f' };

test.each<[string, unknown, unknown]>([
  ['a published build', published, published],
  ['a build without a version', UNKNOWN, UNKNOWN],
  ['a build without date', { ...published, dateConstruction: null }, unpublished],
  ['a build without number', { ...published, numero: null }, unpublished],
  ['a build with a bad date', { ...published, dateConstruction: 'hier' }, UNKNOWN],
  ['a file that is no JSON', '{', UNKNOWN],
  ['a file of another shape', [1], UNKNOWN],
  ['no file', undefined, UNKNOWN],
])('%s', async (_name, written, expected) => {
  const { url } = await serve(
    { VERSION: '9.9.9', BUILD_DATE: '2030-01-01T00:00:00Z' },
    builtClient(written),
  );
  expect((await send(`${url}/api/version`)).json()).toEqual(expected);
});
