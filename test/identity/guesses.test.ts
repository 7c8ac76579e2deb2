import { expect, test, vi } from 'vitest';
import { FairQueue } from '#server/plumbing/upstream/queue';
import { Attempts } from '#server/subjects/identity/secrets';
import { openHome, pass, PASSWORD, whoReads, type Home } from './support.ts';

const WRONG = 'pas la bonne phrase';
const DAYS = 24 * 60;

/** Tries wrong passwords for a name, from one address, on an unknown device. */
async function guess(home: Home, address: string, tries: number, name = 'claire') {
  const statuses: number[] = [];
  for (let i = 0; i < tries; i++)
    statuses.push((await home.device(address).signIn(name, WRONG)).status);
  return statuses;
}

test('others’ attempts do not lock out a member from a network where they signed in', async () => {
  const home = await openHome();
  await home.member('Claire');
  expect(await guess(home, '192.0.2.1', 7)).toEqual([401, 401, 401, 401, 401, 429, 429]);
  const tablet = home.device('192.0.2.1');
  expect((await tablet.signIn('claire')).status).toBe(200);
  expect(await whoReads(tablet)).toBe('claire');
});

test('the network where a member signed in is a whole /64 of IPv6', async () => {
  const home = await openHome();
  await home.member('Claire');
  expect((await home.device('2001:db8:1:2::1').signIn('claire')).status).toBe(200);
  await guess(home, '2001:db8:1:2::666', 5);
  expect((await home.device('2001:db8:1:2::7').signIn('claire')).status).toBe(200);
  await guess(home, '2001:db8:1:3::666', 5);
  expect((await home.device('2001:db8:1:3::7').signIn('claire')).status).toBe(429);
});

test('a network where another member signed in does not exempt a name', async () => {
  const home = await openHome();
  await home.member('Claire');
  await home.member('Luc');
  expect((await home.device('203.0.113.5').signIn('luc')).status).toBe(200);
  await guess(home, '203.0.113.5', 5);
  const { status, body, headers } = await home.device('203.0.113.5').signIn('claire');
  expect(status).toBe(429);
  const secondes = Number(headers['retry-after']);
  expect(secondes).toBeGreaterThan(0);
  expect(body).toMatchObject({
    code: 'TROP_DE_TENTATIVES',
    secondes,
    message: `Trop d’essais : réessayez dans ${secondes} s.`,
  });
});

test('a refusal does not tell whether the password was right', async () => {
  const waits: unknown[] = [];
  for (const typed of [PASSWORD, WRONG]) {
    const home = await openHome();
    await home.member('Claire');
    await home.member('Luc');
    expect((await home.device('203.0.113.5').signIn('luc')).status).toBe(200);
    await guess(home, '203.0.113.5', 5);
    const reply: number[] = [];
    for (let i = 0; i < 2; i++) {
      const { headers } = await home.device('203.0.113.5').signIn('claire', typed);
      reply.push(Math.round(Number(headers['retry-after']) / 10));
    }
    waits.push(reply);
  }
  expect(waits).toEqual([
    [2, 4],
    [2, 4],
  ]);
});

test('a network where a member signed in ninety days ago no longer exempts them', async () => {
  const home = await openHome();
  await home.member('Claire');
  pass(91 * DAYS);
  await guess(home, '192.0.2.1', 5);
  expect((await home.device('192.0.2.1').signIn('claire')).status).toBe(429);
});

test('an unknown name is answered as a known one where members sign in', async () => {
  const home = await openHome();
  await home.member('Claire');
  expect(await guess(home, '192.0.2.1', 5, 'personne')).toEqual([401, 401, 401, 401, 401]);
  const locked = await Promise.all(
    ['claire', 'personne'].map((name) => home.device('192.0.2.1').signIn(name, WRONG)),
  );
  expect(locked.map(({ status }) => status)).toEqual([429, 429]);
});

test('a name tried elsewhere is as slow at home, somebody’s or not', async () => {
  const home = await openHome();
  await home.member('Claire');
  const waited = vi.spyOn(FairQueue.prototype, 'run');
  const lines: string[] = [];
  for (const address of ['198.51.100.7', '192.0.2.1'])
    for (const name of ['claire', 'personne']) {
      waited.mockClear();
      await guess(home, address, 1, name);
      lines.push(waited.mock.calls[0]?.[0].owner ?? '');
    }
  expect(lines).toEqual([
    'identifiant claire ',
    'identifiant personne ',
    'identifiant claire 192.0.2.1',
    'identifiant personne 192.0.2.1',
  ]);
});

test('tries from anywhere are compared one after another', async () => {
  const home = await openHome();
  await home.member('Claire');
  const attempts = new Attempts();
  const [underWay, most] = [{ count: 0 }, { count: 0 }];
  const compare = async () => {
    most.count = Math.max(most.count, ++underWay.count);
    await new Promise(setImmediate);
    underWay.count--;
    return null;
  };
  const answers = await Promise.allSettled(
    Array.from({ length: 100 }, (_, i) => {
      const { signal } = new AbortController();
      const networks = [`${i}/64`, `${i}/56`, `${i}/48`] as const;
      const sender = { networks, device: null, isFromHome: false, signal };
      return attempts.try(sender, { account: 'claire', isFamiliar: false }, compare);
    }),
  );
  expect(most.count).toBe(1);
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(80);
});

test('a try from each network of one /48 is no way around', async () => {
  const home = await openHome();
  await home.member('Claire');
  const compared = vi.spyOn(Attempts.prototype, 'try');
  const statuses: number[] = [];
  for (let i = 0; i < 25; i++) {
    const { status } = await home.device(`2001:db8:7:${i * 256}::1`).signIn(`nom ${i}`, WRONG);
    statuses.push(status);
  }
  expect(compared).toHaveBeenCalledTimes(25);
  expect(statuses.filter((status) => status === 401)).toHaveLength(20);
  expect((await home.device('2001:db8:7:ffff::1').signIn('claire')).status).toBe(429);
  expect((await home.device('2001:db8:8::1').signIn('claire')).status).toBe(200);
});

test('a try from each network of one /56 is no way around', async () => {
  const home = await openHome();
  await home.member('Claire');
  for (let i = 0; i < 10; i++)
    await home.device(`2001:db8:7:10${i.toString(16)}::1`).signIn(`nom ${i}`, WRONG);
  expect((await home.device('2001:db8:7:1ff::1').signIn('claire')).status).toBe(429);
  expect((await home.device('2001:db8:7:200::1').signIn('claire')).status).toBe(200);
});

test('an attempt with a member’s display name counts as one with an unknown name', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await claire.ask('PUT', '/api/membres/1', { nom: 'Marie Curie', gere: true, exclu: false });
  const tried = vi.spyOn(Attempts.prototype, 'try');
  for (const name of ['claire', 'Marie Curie', 'Personne'])
    await guess(home, '203.0.113.9', 1, name);
  const accounts = tried.mock.calls.map(([, { account }]) => account);
  expect(accounts).toEqual([
    'identifiant claire',
    'identifiant marie curie',
    'identifiant personne',
  ]);
});

test('a device that was signed in on has a turn of its own', async () => {
  const home = await openHome();
  await home.member('Claire');
  const phone = home.device('203.0.113.5');
  await phone.signIn('claire');
  await phone.ask('DELETE', '/api/connexion');
  const flood = Array.from({ length: 40 }, (_, i) =>
    home.device(`198.51.100.${i}`).signIn('claire', WRONG),
  );
  expect((await phone.signIn('claire', PASSWORD)).status).toBe(200);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(20);
});
