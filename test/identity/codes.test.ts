import { afterEach, expect, test, vi } from 'vitest';
import { Refusal } from '#shared/refusals';
import {
  longWork,
  openHome,
  pass,
  PASSWORD,
  whoReads,
  type Browser,
  type Home,
} from './support.ts';

afterEach(() => vi.restoreAllMocks());

const turnTo = (tablet: Browser, membreId: number, code: string) =>
  tablet.ask('PUT', '/api/connexion/lecteur', { membreId, code });

/** A tablet on which Luc is active, and Claire has a code. */
async function tabletOf(home: Home): Promise<Browser> {
  const tablet = await home.member('Claire');
  await tablet.ask('PUT', '/api/moi/code', { code: '4711' });
  await home.member('Luc');
  await tablet.signIn('luc');
  return tablet;
}

test('no more codes are tried during long work', async () => {
  const home = await openHome();
  const tablet = await tabletOf(home);
  const work = longWork(home);
  let answered = 0;
  const tries = ['0000', '0001', '0002', '0003', '0004', '0005'].map(async (code) => {
    const { body } = await turnTo(tablet, 1, code);
    answered++;
    return body;
  });
  await work.waiting(6);
  expect(answered, 'a code was compared meanwhile').toBe(0);
  await work.end();
  const refusal = expect.objectContaining({ code: 'CODE_REFUSE' }) as object;
  expect(await Promise.all(tries)).toEqual(tries.map(() => refusal));
  expect((await turnTo(tablet, 1, '4711')).status).toBe(404);
  expect(await whoReads(tablet)).toBe('luc');
});

test('a right code that arrives after five wrong ones is not compared, even if none was yet', async () => {
  const home = await openHome();
  const tablet = await tabletOf(home);
  const work = longWork(home);
  const wrong = ['0000', '0001', '0002', '0003', '0004'].map((code) => turnTo(tablet, 1, code));
  await work.waiting(5);
  const right = turnTo(tablet, 1, '4711');
  await work.waiting(6);
  await work.end();
  const bodies = (await Promise.all([...wrong, right])).map(({ body }) => body);
  const refusal = expect.objectContaining({ code: 'CODE_REFUSE' }) as object;
  expect(bodies).toEqual(bodies.map(() => refusal));
  expect(await whoReads(tablet)).toBe('luc');
});

test('a full disk reveals nothing about a code', async () => {
  const home = await openHome();
  const tablet = await tabletOf(home);
  vi.spyOn(home.context.database, 'write').mockImplementation(() => {
    throw new Refusal('DISQUE_PLEIN');
  });
  for (const code of ['0000', '4711'])
    expect((await turnTo(tablet, 1, code)).body, code).toMatchObject({ code: 'DISQUE_PLEIN' });
});

test('a restart forgets no wrong code', async () => {
  const home = await openHome();
  const tablet = await tabletOf(home);
  for (let i = 0; i < 4; i++) await turnTo(tablet, 1, '0000');
  const { databasePath } = home.context.config;
  await home.close();
  const again = await openHome({ DATABASE_PATH: databasePath });
  const browser = again.device();
  browser.cookie = tablet.cookie;
  await turnTo(browser, 1, '0000');
  expect((await turnTo(browser, 1, '4711')).status).toBe(404);
});

test('a right code makes up for wrong ones', async () => {
  const home = await openHome();
  const tablet = await tabletOf(home);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 4; j++) await turnTo(tablet, 1, '0000');
    expect((await turnTo(tablet, 1, '4711')).status).toBe(200);
  }
});

const choose = (browser: Browser, code: string, more: object = {}) =>
  browser.ask('PUT', '/api/moi/code', { code, ...more });

/** A tablet on which Claire and Luc signed in six minutes ago, without codes; Luc is active. */
async function commonTablet(home: Home): Promise<Browser> {
  const tablet = await home.member('Claire');
  await home.member('Luc');
  await tablet.signIn('luc');
  pass(6);
  return tablet;
}

test('on a shared device only the member can set a first code', async () => {
  const home = await openHome();
  const tablet = await commonTablet(home);
  for (const membreId of [1, 2]) {
    await tablet.ask('PUT', '/api/connexion/lecteur', { membreId });
    for (const more of [{}, { motDePasse: 'pas la bonne' }])
      expect(await choose(tablet, '4711', more)).toMatchObject({
        status: 401,
        body: { code: 'IDENTIFIANTS_REFUSES' },
      });
  }
  expect((await turnTo(tablet, 1, '')).status).toBe(200);
  expect(await choose(tablet, '4711', { motDePasse: PASSWORD })).toMatchObject({ status: 204 });
});

test('signing the others out makes no tablet one’s own', async () => {
  const home = await openHome();
  const tablet = await commonTablet(home);
  expect((await tablet.ask('DELETE', '/api/connexion')).status).toBe(200);
  expect((await turnTo(tablet, 1, '')).status).toBe(200);
  expect(await choose(tablet, '4711')).toMatchObject({ body: { code: 'IDENTIFIANTS_REFUSES' } });
});

test('a tablet where another was signed in before stays no one’s own', async () => {
  const home = await openHome();
  await home.member('Claire');
  const tablet = await home.member('Luc');
  await tablet.ask('DELETE', '/api/connexion');
  await tablet.signIn('claire');
  pass(6);
  expect((await tablet.ask('GET', '/api/moi/cles-acces')).body).toMatchObject({ partage: true });
  expect(await choose(tablet, '4711')).toMatchObject({ body: { code: 'IDENTIFIANTS_REFUSES' } });
  expect(await choose(tablet, '4711', { motDePasse: PASSWORD })).toMatchObject({ status: 204 });
});

test('a tablet of who was removed since is no one’s own', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const tablet = await home.member('Luc');
  expect((await claire.ask('DELETE', '/api/membres/2')).status).toBe(204);
  await tablet.signIn('claire');
  pass(6);
  expect((await tablet.ask('GET', '/api/moi/cles-acces')).body).toMatchObject({ partage: true });
});

test('signing in again on one’s own device leaves no other member on it', async () => {
  const home = await openHome();
  const phone = await home.member('Claire');
  await phone.ask('DELETE', '/api/connexion');
  await phone.signIn('claire');
  pass(6);
  expect(await choose(phone, '4711')).toMatchObject({ status: 204 });
});

test('a first code is set within five minutes of one’s sign-in', async () => {
  const home = await openHome();
  const tablet = await commonTablet(home);
  await tablet.signIn('claire');
  expect(await choose(tablet, '4711')).toMatchObject({ status: 204 });
  expect((await tablet.ask('GET', '/api/moi/cles-acces')).body).toMatchObject({
    avecCode: true,
    partage: false,
  });
});

test('on one’s own device a first code wants no proof', async () => {
  const home = await openHome();
  const phone = await home.member('Claire');
  pass(6);
  expect((await phone.ask('GET', '/api/moi/cles-acces')).body).toMatchObject({ partage: false });
  expect(await choose(phone, '4711')).toMatchObject({ status: 204 });
});

test('without a password a first code wants a sign-in of this moment', async () => {
  const home = await openHome();
  const tablet = await commonTablet(home);
  home.context.database.write((tx) => tx.run('UPDATE Membre SET motDePasse = NULL'));
  expect(await choose(tablet, '4711')).toMatchObject({
    status: 403,
    body: { code: 'CONNEXION_ANCIENNE' },
  });
});
