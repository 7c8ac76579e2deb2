import { expect, test } from 'vitest';
import { jetonOf, keyOf, longWork, openHome, PASSWORD, whoReads, type Browser } from './support.ts';

const PROOF = { motDePasse: PASSWORD };
const WANTED = { status: 401, body: { code: 'IDENTIFIANTS_REFUSES' } };

test('an invitation that opens or manages more wants a proof', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await home.member('Luc');
  const invite = (body: object) => claire.ask('POST', '/api/invitations', body);
  for (const body of [{ membreId: 1 }, { membreId: 2 }, { nom: 'Inès', gere: true }]) {
    expect(await invite(body), JSON.stringify(body)).toMatchObject(WANTED);
    expect(await invite({ ...body, ...PROOF })).toMatchObject({ status: 201 });
  }
  const wrong = { nom: 'Jo', gere: true, motDePasse: 'autre chose' };
  expect(await invite(wrong)).toMatchObject(WANTED);
  expect(await invite({ nom: 'Jo' })).toMatchObject({ status: 201 });
});

test('to give rights or entry wants a proof', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await home.member('Luc');
  const change = (gere: boolean, exclu: boolean, proof: object = {}) =>
    claire.ask('PUT', '/api/membres/2', { nom: 'Luc', gere, exclu, ...proof });
  expect(await change(true, false)).toMatchObject(WANTED);
  expect(await change(true, false, PROOF)).toMatchObject({ status: 200 });
  expect(await change(true, false)).toMatchObject({ status: 200 });
  expect(await change(false, true)).toMatchObject({ status: 200 });
  expect(await change(false, false)).toMatchObject(WANTED);
  expect(await change(false, false, PROOF)).toMatchObject({ status: 200 });
});

const setCode = (browser: Browser, code: string | null, proof: object = {}) =>
  browser.ask('PUT', '/api/moi/code', { code, ...proof });

test('another code, or none, wants a proof', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  expect(await setCode(claire, '4711')).toMatchObject({ status: 204 });
  for (const code of ['1234', null]) {
    expect(await setCode(claire, code)).toMatchObject(WANTED);
    expect(await setCode(claire, code, { ancien: '0000' })).toMatchObject({
      status: 401,
      body: { code: 'CODE_REFUSE' },
    });
  }
  expect(await setCode(claire, '1234', { ancien: '4711' })).toMatchObject({ status: 204 });
  expect(await setCode(claire, null, PROOF)).toMatchObject({ status: 204 });
});

test('guessing the code in its own session ends it', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await setCode(claire, '4711');
  for (let i = 0; i < 5; i++) await setCode(claire, null, { ancien: '0000' });
  expect(await whoReads(claire)).toBe('CONNEXION_REQUISE');
});

const worksStill = async (script: Browser, key: string) =>
  (await script.ask('GET', '/api/moi', undefined, { Authorization: `Bearer ${key}` })).status ===
  200;

test('a new invitation ends the member’s keys', async () => {
  const home = await openHome();
  const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
  const [kept, lost] = [await keyOf(claire, true), await keyOf(luc, true)];
  const jeton = jetonOf(await claire.ask('POST', '/api/invitations', { membreId: 2, ...PROOF }));
  await home.device().ask('POST', '/api/connexion/arrivee', { jeton, motDePasse: PASSWORD });
  expect(await worksStill(home.device(), lost)).toBe(false);
  expect(await worksStill(home.device(), kept)).toBe(true);
});

test.each([
  ['unless told otherwise', {}, false],
  ['where they are to stay', { terminerCles: false }, true],
])('a new password and the keys, %s', async (_, more, isKept) => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const key = await keyOf(claire, true);
  const change = { ancien: PASSWORD, nouveau: 'une autre phrase', ...more };
  expect((await claire.ask('PUT', '/api/moi/mot-de-passe', change)).status).toBe(204);
  expect(await worksStill(home.device(), key)).toBe(isKept);
});

test('a member who was shut out meanwhile is readmitted only with a new proof', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const change = (nom: string, exclu: boolean) =>
    claire.ask('PUT', '/api/membres/2', { nom, gere: false, exclu });
  const work = longWork(home);
  const shutOut = change('Luc', true);
  await work.waiting(1);
  const renamed = change('Lucas', false);
  await work.waiting(2);
  await work.end();
  expect((await shutOut).status).toBe(200);
  expect((await renamed).body).toMatchObject({ code: 'IDENTIFIANTS_REFUSES' });
  expect((await luc.signIn('luc')).status).toBe(401);
});
