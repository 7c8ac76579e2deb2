import { afterEach, expect, test, vi } from 'vitest';
import { Refusal } from '#shared/refusals';
import { longWork, openHome, PASSWORD, whoReads, type Browser, type Home } from './support.ts';

afterEach(() => vi.restoreAllMocks());

test('the cookie serves the page alone, below its path', async () => {
  const home = await openHome({ BASE_PATH: '/biblio' });
  const claire = await home.member('Claire');
  expect(claire.attributes.split('; ').sort()).toEqual([
    'HttpOnly',
    'Max-Age=7776000',
    'Path=/biblio/',
    'SameSite=Lax',
  ]);
});

test.each([
  { 'X-Forwarded-Proto': 'https' },
  { Origin: 'https://home.example', Host: 'home.example' },
])('HTTPS keeps the cookie from plain HTTP: %o', async (headers: Record<string, string>) => {
  const home = await openHome({ ALLOWED_HOSTS: 'home.example' });
  await home.member('Claire');
  const phone = home.device();
  const credentials = { identifiant: 'claire', motDePasse: PASSWORD };
  await phone.ask('POST', '/api/connexion', credentials, headers);
  expect(phone.attributes).toContain('Secure');
});

const HTTPS = { 'X-Forwarded-Proto': 'https' };

/** Dates the last use of all sessions some hours back. */
const age = ({ context: { database } }: Home, hours: number) =>
  database.write((tx) => tx.run('UPDATE Session SET vue = vue - ?', hours * 60 * 60_000));

test.each([
  ['', '__Host-rayonnage', 'Path=/'],
  ['/biblio', 'rayonnage', 'Path=/biblio/'],
])('a session under HTTPS never loses Secure: «%s»', async (path, name, attribute) => {
  const home = await openHome({ BASE_PATH: path || '/' });
  await home.member('Claire');
  await home.member('Luc');
  const phone = home.device();
  const credentials = { identifiant: 'claire', motDePasse: PASSWORD };
  await phone.ask('POST', '/api/connexion', credentials, HTTPS);
  const isSafe = () => {
    expect(phone.cookie.split('=')[0]).toBe(name);
    expect(phone.attributes.split('; ')).toEqual(expect.arrayContaining(['Secure', attribute]));
    phone.attributes = '';
  };
  isSafe();
  age(home, 2);
  await phone.ask('GET', '/api/version');
  isSafe();
  await phone.ask('PUT', '/api/connexion/lecteur', { membreId: 1 });
  isSafe();
  await phone.signIn('luc');
  isSafe();
});

test('a session once under HTTPS is kept from plain HTTP', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  age(home, 2);
  await claire.ask('GET', '/api/version', undefined, HTTPS);
  age(home, 2);
  await claire.ask('GET', '/api/version');
  expect(claire.attributes).toContain('Secure');
});

test('a session from before has its cookie renamed at once', async () => {
  const home = await openHome();
  await home.member('Claire');
  const phone = home.device();
  const credentials = { identifiant: 'claire', motDePasse: PASSWORD };
  await phone.ask('POST', '/api/connexion', credentials, HTTPS);
  phone.cookie = phone.cookie.replace('__Host-', '');
  const { headers, body } = await phone.ask('GET', '/api/moi', undefined, HTTPS);
  expect(body).toMatchObject({ utilisateur: 'claire' });
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-rayonnage=[^;]+; .*Path=\/; .*Secure/),
    expect.stringMatching(/^rayonnage=; /),
  ]);
  expect(phone.cookie).toMatch(/^__Host-/);
  const again = await phone.ask('GET', '/api/moi', undefined, HTTPS);
  expect(again.body).toMatchObject({ utilisateur: 'claire' });
  expect(again.headers['set-cookie']).toBeUndefined();
});

test('a cookie planted by another host does not sign out', async () => {
  const home = await openHome({ BASE_PATH: '/biblio' });
  const claire = await home.member('Claire');
  for (const cookies of [`rayonnage=planted; ${claire.cookie}`, `${claire.cookie}; rayonnage=x`]) {
    const { body } = await claire.ask('GET', '/api/moi', undefined, { Cookie: cookies });
    expect(body, cookies).toMatchObject({ utilisateur: 'claire' });
  }
});

test('a disk that takes no writes refuses no read', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  age(home, 2);
  vi.spyOn(home.context.database, 'write').mockImplementation(() => {
    throw new Refusal('BASE_EN_LECTURE_SEULE');
  });
  expect(await whoReads(claire)).toBe('claire');
});

test('signing in ends a session that was planted before', async () => {
  const home = await openHome();
  await home.member('Claire');
  const luc = await home.member('Luc');
  const planted = luc.cookie;
  const phone = home.device();
  phone.cookie = planted;
  await phone.signIn('claire');
  expect(phone.cookie).not.toBe(planted);
  expect(await whoReads(phone)).toBe('claire');
  expect(await whoReads(luc)).toBe('CONNEXION_REQUISE');
});

test('a session ends ninety days after its last use', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  for (let i = 0; i < 3; i++) {
    age(home, 89 * 24);
    const { headers } = await claire.ask('GET', '/api/version');
    expect(headers['set-cookie']?.[0]).toContain('Max-Age=7776000');
  }
  age(home, 90 * 24);
  expect(await whoReads(claire)).toBe('CONNEXION_REQUISE');
});

test('signing out ends this session alone', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const phone = home.device();
  await phone.signIn('claire');
  const before = phone.cookie;
  expect((await phone.ask('DELETE', '/api/connexion')).status).toBe(200);
  expect(phone.cookie).toBe('');
  phone.cookie = before;
  expect(await whoReads(phone)).toBe('CONNEXION_REQUISE');
  expect(await whoReads(claire)).toBe('claire');
});

const faces = async (tablet: Browser) => (await tablet.ask('GET', '/api/connexion')).body;
const turnTo = (tablet: Browser, membreId: number | null, code?: string) =>
  tablet.ask('PUT', '/api/connexion/lecteur', { membreId, ...(code !== undefined && { code }) });

test('members who share a tablet see only their own lists', async () => {
  const home = await openHome();
  const tablet = await home.member('Claire');
  await home.member('Luc');
  await tablet.ask('POST', '/api/souhaits', { titre: 'Ulysse' });
  await tablet.signIn('luc');
  expect(await faces(tablet)).toMatchObject({
    comptes: true,
    visages: [
      { nom: 'Claire', actif: false },
      { nom: 'Luc', actif: true },
    ],
  });
  expect((await tablet.ask('GET', '/api/souhaits')).body).toEqual([]);
  expect((await turnTo(tablet, 1)).body).toMatchObject({ utilisateur: 'claire' });
  expect((await tablet.ask('GET', '/api/souhaits')).body).toMatchObject([{ titre: 'Ulysse' }]);
  await turnTo(tablet, null);
  expect(await whoReads(tablet)).toBe('CONNEXION_REQUISE');
});

test('a page writes only for the reader it shows', async () => {
  const home = await openHome();
  const tablet = await home.member('Claire');
  await home.member('Eva');
  await tablet.signIn('eva');
  const wish = (lecteur: string) =>
    tablet.ask('POST', '/api/souhaits', { titre: 'Ulysse' }, { 'X-Lecteur': lecteur });
  for (const lecteur of ['claire', '', '%'])
    expect(await wish(lecteur), lecteur).toMatchObject({
      status: 403,
      body: { code: 'AUTRE_LECTEUR' },
    });
  expect((await tablet.ask('GET', '/api/souhaits')).body).toEqual([]);
  expect((await wish('eva')).status).toBe(201);
  const back = await tablet.ask('PUT', '/api/connexion/lecteur', { membreId: 1 });
  expect(back.status).toBe(200);
});

test('a tablet turns only to members signed in on it', async () => {
  const home = await openHome();
  await home.member('Claire');
  const tablet = await home.member('Luc');
  expect((await turnTo(tablet, 1)).status).toBe(404);
  expect((await turnTo(home.device(), 1)).status).toBe(404);
  expect(await whoReads(tablet)).toBe('luc');
});

test('turning to a member wants their code', async () => {
  const home = await openHome();
  const tablet = await home.member('Claire');
  await home.member('Luc');
  await tablet.ask('PUT', '/api/moi/code', { code: '4711' });
  await tablet.signIn('luc');
  for (const code of [undefined, '', '1234'])
    expect((await turnTo(tablet, 1, code)).body, code).toMatchObject({ code: 'CODE_REFUSE' });
  expect((await turnTo(tablet, 1, '4711')).status).toBe(200);
});

test('five wrong codes of a member end the session', async () => {
  const home = await openHome();
  const tablet = await home.member('Claire');
  await home.member('Luc');
  await tablet.ask('PUT', '/api/moi/code', { code: '4711' });
  await tablet.signIn('luc');
  for (let i = 0; i < 5; i++) await turnTo(tablet, 1, '0000');
  expect((await turnTo(tablet, 1, '4711')).status).toBe(404);
  expect(await whoReads(tablet)).toBe('luc');
});

test('a sign-in during a long write waits for its end', async () => {
  const home = await openHome();
  await home.member('Claire');
  const work = longWork(home);
  const signedIn = home.device().signIn('claire');
  await work.waiting(1);
  expect(work.whenFree).toHaveBeenCalledWith(expect.any(Function), 45_000);
  await work.end();
  expect(await signedIn).toMatchObject({ status: 200, body: { utilisateur: 'claire' } });
});

test('a change of an account waits for a long write as long as a sign-in', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const work = longWork(home);
  const writes = [
    claire.ask('POST', '/api/cles', { nom: 'Liseuse', ecrit: false, motDePasse: PASSWORD }),
    claire.ask('POST', '/api/invitations', { nom: 'Luc' }),
    claire.ask('PUT', '/api/moi/mot-de-passe', { ancien: PASSWORD, nouveau: `${PASSWORD}!` }),
  ];
  const book = claire.ask('POST', '/api/livres', { titre: 'Nadja', format: 'Physique' });
  await work.waiting(4);
  const waits = work.whenFree.mock.calls.map(([, maxMs]) => maxMs);
  expect(waits).toEqual([45_000, 45_000, 45_000, 45_000]);
  await work.end();
  const answers = await Promise.all([...writes, book]);
  expect(answers.map(({ status }) => status < 300)).toEqual([true, true, true, true]);
});

test.each([
  ['turned to two members', (tablet: Browser) => [turnTo(tablet, 1), turnTo(tablet, 2)]],
  ['turned and signed in on', (tablet: Browser) => [turnTo(tablet, 1), tablet.signIn('luc')]],
  ['signed in on twice', (tablet: Browser) => [tablet.signIn('luc'), tablet.signIn('luc')]],
])('a tablet %s at once keeps its members', async (_, actAtOnce) => {
  const home = await openHome();
  const tablet = await home.member('Claire');
  await home.member('Luc');
  await tablet.signIn('luc');
  await turnTo(tablet, null);
  const work = longWork(home);
  const acts = actAtOnce(tablet);
  // Both requests have read the tablet's members by now.
  await work.waiting(2);
  await work.end();
  const answers = await Promise.all(acts);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  const { visages } = (await faces(tablet)) as { visages: { nom: string; actif: boolean }[] };
  expect(visages.map(({ nom }) => nom)).toEqual(expect.arrayContaining(['Claire', 'Luc']));
  expect(visages.filter(({ actif }) => actif)).toHaveLength(1);
});

test('a tablet turns to no session ended meanwhile', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const tablet = await home.member('Luc');
  await tablet.signIn('claire');
  await turnTo(tablet, 2);
  const work = longWork(home);
  const ended = claire.ask('DELETE', '/api/sessions/3');
  await work.waiting(1);
  const turned = turnTo(tablet, 1);
  await work.waiting(2);
  await work.end();
  expect((await ended).status).toBe(204);
  expect((await turned).status).toBe(404);
  expect(await whoReads(tablet)).toBe('luc');
});

test('a clock that was ahead keeps a session in use', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  age(home, -1000);
  const { headers } = await claire.ask('GET', '/api/version');
  expect(headers['set-cookie']?.[0]).toContain('Max-Age=7776000');
});
