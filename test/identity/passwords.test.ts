import { expect, test, vi } from 'vitest';
import { Attempts, hashPassword, type SecretSender } from '#server/subjects/identity/secrets';
import { atLeastOne } from '../support/at-least-one.ts';
import { eventually } from '../support/eventually.ts';
import { openHome, PASSWORD, whoReads, type Reply } from './support.ts';

const WRONG = 'pas la bonne phrase';

test('an unknown name gets the answer of a wrong password', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await home.member('Luc');
  await claire.ask('PUT', '/api/membres/2', { nom: 'Luc', gere: false, exclu: true });
  const answers: Reply[] = [];
  for (const [identifiant, motDePasse] of [
    ['claire', WRONG],
    ['personne', WRONG],
    ['luc', PASSWORD],
  ] as const)
    answers.push(await home.device().signIn(identifiant, motDePasse));
  const [first] = answers;
  for (const { status, body, headers } of atLeastOne(answers)) {
    expect(status).toBe(401);
    expect(body).toEqual(first?.body);
    expect(Object.keys(headers).sort()).toEqual(Object.keys(first?.headers ?? {}).sort());
  }
});

test('an address waits after five wrong tries', async () => {
  const home = await openHome();
  await home.member('Claire');
  const stranger = home.device('198.51.100.7');
  for (const name of ['claire', 'luc', 'personne', 'claire', 'claire'])
    expect((await stranger.signIn(name, WRONG)).status).toBe(401);
  const { status, headers, body } = await stranger.signIn('claire');
  expect(status).toBe(429);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(body).toMatchObject({ code: 'TROP_DE_TENTATIVES' });
});

test('a network waits twice as long each time, a minute at most', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const attempts = new Attempts();
  const { signal } = new AbortController();
  const networks = ['1/64', '1/56', '1/48'] as const;
  const sender: SecretSender = { networks, device: null, isFromHome: false, signal };
  let tried = 0;
  const guess = () =>
    attempts.try(sender, { account: `nom ${tried++}`, isFamiliar: false }, async () => null);
  for (let i = 0; i < 5; i++) await guess();
  for (const secondes of [10, 20, 40, 60, 60]) {
    await expect(guess()).rejects.toMatchObject({
      code: 'TROP_DE_TENTATIVES',
      details: { secondes },
    });
    vi.advanceTimersByTime(secondes * 1000);
    expect(await guess()).toBeNull();
  }
});

test('many tries at once are no way around', async () => {
  const home = await openHome();
  await home.member('Claire');
  const stranger = home.device('198.51.100.7');
  const tries = Array.from({ length: 20 }, () => stranger.signIn('claire', WRONG));
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10);
});

test('a network of IPv6 is one address', async () => {
  const home = await openHome();
  await home.member('Claire');
  for (let i = 1; i <= 5; i++) await home.device(`2001:db8:1:2::${i}`).signIn('claire', WRONG);
  expect((await home.device('2001:db8:1:2:ffff::9').signIn('claire', WRONG)).status).toBe(429);
  expect((await home.device('2001:db8:1:3::1').signIn('claire', WRONG)).status).toBe(401);
});

test('a clock set back lengthens no wait', async () => {
  const home = await openHome();
  await home.member('Claire');
  const stranger = home.device('198.51.100.7');
  for (let i = 0; i < 5; i++) await stranger.signIn('claire', WRONG);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 15 * 86_400_000 });
  const { body } = await stranger.signIn('claire');
  expect(Number(Reflect.get(Object(body), 'secondes'))).toBeLessThanOrEqual(60);
});

test.each(['claire', 'Claire', 'CLAIRE', 'Claire-Marie', 'claire marie'])(
  'a member signs in as they write their name: %s',
  async (typed) => {
    const home = await openHome();
    const claire = await home.member('Claire');
    const renamed = { nom: 'Claire-Marie', gere: true, exclu: false };
    expect((await claire.ask('PUT', '/api/membres/1', renamed)).status).toBe(200);
    const reply = await home.device().signIn(typed);
    expect(reply.body).toMatchObject({ utilisateur: 'claire' });
  },
);

test('writing a name otherwise is no way around the wait', async () => {
  const home = await openHome();
  await home.member('Claire');
  const names = ['claire', 'Claire', 'CLAIRE', 'clairé', 'ClAiRe'];
  const attempts = vi.spyOn(Attempts.prototype, 'try');
  for (const name of names) await home.device().signIn(name, WRONG);
  expect(new Set(attempts.mock.calls.map(([, { account }]) => account)).size).toBe(1);
});

test('devices that were signed in before come first', async () => {
  const home = await openHome();
  await home.member('Claire');
  const phone = home.device();
  await phone.signIn('claire');
  await phone.ask('DELETE', '/api/connexion');
  const ended: number[] = [];
  const strangers = Array.from({ length: 60 }, async (_, network) => {
    const { status } = await home
      .device(`198.51.100.${network}`)
      .signIn(`personne ${network}`, WRONG);
    ended.push(status);
    return status;
  });
  await eventually(() => ended.filter((status) => status === 429).length).toBeGreaterThan(20);
  expect((await phone.signIn('claire')).status).toBe(200);
  expect(ended.filter((status) => status === 401).length).toBeLessThan(10);
  await Promise.all(strangers);
});

test('a client that disconnected takes no slot of the queue', async () => {
  const leaving = new AbortController();
  const asker = (network: number, signal = leaving.signal): SecretSender => ({
    networks: [String(network)],
    device: null,
    isFromHome: false,
    signal,
  });
  const tries = Array.from({ length: 40 }, (_, network) =>
    hashPassword(PASSWORD, asker(network)).catch((error: unknown) => error),
  );
  const { signal } = new AbortController();
  await expect(hashPassword(PASSWORD, asker(41, signal))).rejects.toThrow(/Trop de demandes/);
  leaving.abort();
  const hashes = (await Promise.all(tries)).filter((result) => typeof result === 'string');
  expect(await hashPassword(PASSWORD, asker(41, signal))).toMatch(/^\$argon2id/);
  expect(hashes.length).toBeLessThanOrEqual(2);
});

test('a stranger who guesses does not shut the member out', async () => {
  const home = await openHome();
  await home.member('Claire');
  for (let network = 1; network <= 2; network++) {
    const stranger = home.device(`198.51.100.${network}`);
    for (let i = 0; i < 6; i++) await stranger.signIn('claire', WRONG);
  }
  const phone = home.device('203.0.113.5');
  expect((await phone.signIn('claire')).status).toBe(200);
  expect(await whoReads(phone)).toBe('claire');
});

test('an untrusted forwarded address is counted by its connection', async () => {
  const home = await openHome({ TRUSTED_PROXIES: '192.0.2.200' });
  await home.member('Claire');
  for (let i = 1; i <= 5; i++) await home.device(`198.51.100.${i}`).signIn('claire', WRONG);
  expect((await home.device('198.51.100.99').signIn('claire', WRONG)).status).toBe(429);
});

test('a secret is stored as a hash', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await claire.ask('PUT', '/api/moi/code', { code: '4711' });
  const invitation = await claire.ask('POST', '/api/invitations', { nom: 'Luc' });
  const key = await claire.ask(
    'POST',
    '/api/cles',
    { nom: 'Tableau', ecrit: false, motDePasse: PASSWORD },
    { 'Idempotency-Key': 'cle-1' },
  );
  const { database } = home.context;
  const tables = ['Membre', 'Invitation', 'Session', 'Cle', 'IdempotencyRecord', 'Modification']
    .flatMap((table) => database.all<Record<string, unknown>>(`SELECT * FROM ${table}`))
    .flatMap((row) => Object.values(row))
    .map((value) => (Buffer.isBuffer(value) ? value.toString('base64url') : String(value)))
    .join('\n');
  const secrets = [
    PASSWORD,
    claire.cookie.split('=')[1],
    ...[invitation, key].map(({ body }) => Reflect.get(Object(body), 'jeton') as string),
  ];
  for (const secret of secrets) expect(tables).not.toContain(secret);
  expect(tables).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/m);
});
