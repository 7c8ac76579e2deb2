import { expect, test } from 'vitest';
import { ean13CheckDigit } from '#shared/codes';
import { houseWithSources, testUpstream } from '../support/upstream.ts';

const COUNT = 40;

test('a new code asks each source once, cover included', async () => {
  const upstream = await testUpstream();
  const edition = { type: { key: '/type/edition' }, title: 'Volume' };
  upstream.behave('/isbn/', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(edition));
  });
  const house = await houseWithSources(upstream);
  const codes = Array.from({ length: COUNT }, (_, n) => {
    const digits = `97820900${String(n).padStart(4, '0')}`;
    return digits + ean13CheckDigit(digits);
  });
  for (const code of codes) {
    const { body } = await house.ask('ana', 'GET', `/api/recherche-isbn/${code}`);
    expect(body).toMatchObject({ candidats: [{ titre: 'Volume' }] });
  }
  expect(upstream.requests).toHaveLength(3 * COUNT);
  expect(new Set(upstream.requests).size).toBe(3 * COUNT);

  const asker = { owner: 'covers', signal: new AbortController().signal };
  for (const code of codes)
    await expect(house.context.covers.sources.second(code, asker)).rejects.toMatchObject({
      status: 404,
    });
  expect(upstream.requests).toHaveLength(3 * COUNT);

  // A try weeks later asks again.
  const [code = ''] = codes;
  await expect(house.context.covers.sources.second(code, asker)).rejects.toMatchObject({
    status: 404,
  });
  expect(upstream.requests).toHaveLength(3 * COUNT + 2);
});

test('the cover of a known record needs no second look-up', async () => {
  const upstream = await testUpstream();
  const house = await houseWithSources(upstream);
  await house.ask('ana', 'GET', '/api/recherche-isbn/9782948012017');
  const asked = upstream.requests.length;
  const asker = { owner: 'covers', signal: new AbortController().signal };
  await house.context.covers.sources.second('9782948012017', asker).catch(() => undefined);
  const since = upstream.requests.slice(asked);
  expect(since.length).toBeGreaterThan(0);
  expect(since.every((path) => path.startsWith('/couverture'))).toBe(true);
});
