import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../support/ask.ts';
import { openHouse } from '../support/house.ts';
import { serve } from '../support/server.ts';

test('lookups are limited for each person', async () => {
  const server = await serve();
  const codes = Array.from({ length: 120 + 1 }, () => '/api/recherche-isbn/1');
  const answers = await Promise.all(codes.map((path) => ask(server, 'GET', path)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.map((answer) => answer.json()['code'])).toEqual(['TROP_DE_DEMANDES']);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask(server, 'GET', '/api/recherche-isbn/1', { as: 'bob' })).status).toBe(400);
  for (const path of codes.map(() => '/api/moi'))
    expect((await ask(server, 'GET', path)).status).toBe(200);
});

const EVENTS = '/api/replication/evenements';

/** Keeps references to the responses: fetch cancels the stream of a garbage-collected one. */
const responses: Response[] = [];

async function keep(answer: Promise<Response>): Promise<Response> {
  responses.push(await answer);
  return answer;
}

test('imports and pictures are limited for each person', async () => {
  const house = await openHouse();
  const askOften = async (who: string, method: string, path: string, count: number) => {
    const asked = Array.from({ length: count }, () => house.ask(who, method, path));
    const answers = await Promise.all(asked);
    return answers.filter(({ body }) => JSON.stringify(body).includes('TROP_DE_DEMANDES')).length;
  };
  for (const [method, path, most] of [
    ['POST', '/api/importations', 30],
    ['PUT', '/api/livres/1/couverture', 600],
  ] as const) {
    expect([path, await askOften('alice', method, path, most + 1)]).toEqual([path, 1]);
    expect([path, await askOften('bob', method, path, 1)]).toEqual([path, 0]);
  }
});

test('event streams are limited for each address and network', async () => {
  const { url } = await serve();
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const open = (address: string, { signal } = controller) =>
    keep(fetch(url + EVENTS, { signal, headers: { 'X-Forwarded-For': `1.1.1.1, ${address}` } }));
  const first = new AbortController();
  await open('5.6.7.8', first);
  for (let i = 1; i < 64; i++) expect((await open('5.6.7.8')).status).toBe(200);
  const refused = await open('5.6.7.8');
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: 'TROP_DE_DEMANDES', statusCode: 429 });
  expect((await open('5.6.7.9')).status).toBe(200);
  for (let i = 0; i < 64; i++) expect((await open(`2001:db8:1:2:ffff::${i}`)).status).toBe(200);
  expect((await open('2001:db8:1:2::1')).status).toBe(429);
  expect((await open('2001:db8:1:3::1')).status).toBe(200);
  expect((await fetch(`${url}/api/sante`)).status).toBe(200);
  first.abort();
  await expect.poll(async () => (await open('5.6.7.8')).status).toBe(200);
});

test('an address forwarded by an untrusted connection is ignored', async () => {
  const { url } = await serve({ TRUSTED_PROXIES: '10.0.0.1' });
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const open = (address: string) =>
    keep(
      fetch(url + EVENTS, {
        signal: controller.signal,
        headers: { 'X-Forwarded-For': address },
      }),
    );
  for (let i = 0; i < 64; i++) expect((await open(`5.6.7.${String(i)}`)).status).toBe(200);
  expect((await open('5.6.7.99')).status).toBe(429);
});

test('a person has eight event streams, the oldest of which goes, and others have theirs', async () => {
  const house = await openHouse();
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const open = (utilisateur: string) =>
    keep(
      fetch(house.url + EVENTS, {
        signal: controller.signal,
        headers: house.headersOf(utilisateur),
      }),
    );
  const streams: Response[] = [];
  for (let i = 0; i < 64 + 1; i++) streams.push(await open('alice'));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  // The displaced streams are closed properly.
  const ended = await Promise.all(streams.slice(0, -8).map((each) => each.text()));
  expect(ended.map((text) => text.endsWith('retry: 60000\n\n'))).toEqual(ended.map(() => true));
  const last = [...streams.slice(-8), await open('bob')];
  // Bob's stream displaces none of Alice's eight.
  const added = { titre: 'Nadja', format: 'Physique' };
  expect((await house.ask('bob', 'POST', '/api/livres', added)).status).toBe(201);
  const heard = await Promise.all(last.map(async (each) => readUntil(each, 'event: revision')));
  expect(heard).toEqual(last.map(() => true));
});

/** Whether a text arrives before the stream ends. */
async function readUntil({ body }: Response, text: string): Promise<boolean> {
  let heard = '';
  if (body === null) return false;
  for await (const chunk of body) {
    heard += Buffer.from(chunk).toString();
    if (heard.includes(text)) return true;
  }
  return false;
}
