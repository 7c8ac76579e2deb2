import { expect, test } from 'vitest';
import { readAccess } from '../support/access.ts';
import { atLeastOne } from '../support/at-least-one.ts';
import { send } from '../support/server.ts';
import { keyOf, openHome, type Browser } from './support.ts';

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

const LIVRE = { titre: 'Nadja', auteurs: ['André Breton'], format: 'Physique' };

test('a key is its member, and writes where it may', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const key = await keyOf(claire, true);
  const script = home.device();
  expect((await script.ask('POST', '/api/livres', LIVRE, bearer(key))).status).toBe(201);
  await script.ask('PUT', '/api/livres/1/statut', { statut: 1 }, bearer(key));
  expect((await claire.ask('GET', '/api/livres/1')).body).toMatchObject({
    ajoutePar: 'claire',
    statut: 1,
  });
});

test('a key that may only read can write nothing', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await claire.ask('POST', '/api/livres', LIVRE);
  const key = await keyOf(claire, false);
  const { database } = home.context;
  await send(`${home.url}/api/moi`, { headers: ['Authorization', `Bearer ${key}`] });
  const changes = () => database.value<number>('SELECT total_changes() AS n');
  const before = changes();
  for (const [name, { may, endpoint }] of atLeastOne((await readAccess()).operations)) {
    const { method, path, hasSideEffects } = endpoint;
    if (may === 'anyone') continue;
    const target = path.replace(/:\w+/g, '1');
    const headers = ['Authorization', `Bearer ${key}`, 'Content-Type', 'application/json'];
    const { status, text } = await send(home.url + target, {
      method,
      headers,
      ...(method !== 'GET' && { body: '{}' }),
    });
    const isRefused = /"(?:LECTURE_SEULE|SESSION_REQUISE)"/.test(text) && status === 403;
    const takesKeys = !['visitor', 'inPerson', 'manager'].includes(may);
    const isRead = method === 'GET' && takesKeys && hasSideEffects !== true;
    expect(isRefused, `${name}: ${method} ${target} is ${status}`).toBe(!isRead);
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(changes()).toBe(before);
});

test('an address holds a key that only reads the calendar', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const [reads, writes] = [await keyOf(claire, false), await keyOf(claire, true)];
  const statusOf = async (path: string) => (await send(home.url + path)).status;
  const calendar = '/api/prets/echeances.ics';
  expect(await statusOf(`${calendar}?cle=${reads}`)).toBe(200);
  expect(await statusOf(`${calendar}?cle=${writes}`)).toBe(401);
  expect(await statusOf(`${calendar}?cle=x`)).toBe(401);
  expect(await statusOf(calendar)).toBe(401);
  expect(await statusOf(`/api/prets/en-cours?cle=${reads}`)).toBe(401);
});

const make = async (browser: Browser, more: object) =>
  (await browser.ask('POST', '/api/cles', { nom: 'Script', ecrit: true, ...more })).body;

test('a key wants the password again', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  for (const more of [{}, { motDePasse: 'pas la bonne phrase' }])
    expect(await make(claire, more)).toMatchObject({ code: 'IDENTIFIANTS_REFUSES' });
  expect((await claire.ask('GET', '/api/cles')).body).toEqual([]);
});

test('without a password a key wants a recent sign-in', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  home.context.database.write((tx) => {
    tx.run('UPDATE Membre SET motDePasse = NULL');
    tx.run('UPDATE Session SET debut = debut - 660000');
  });
  expect(await make(claire, {})).toMatchObject({ code: 'CONNEXION_ANCIENNE' });
  expect((await claire.ask('GET', '/api/cles')).body).toEqual([]);
});

test('no key makes keys, members or sessions', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const key = await keyOf(claire, true);
  const script = home.device();
  for (const [method, path, body] of [
    ['POST', '/api/cles', { nom: 'Autre', ecrit: true }],
    ['GET', '/api/cles'],
    ['POST', '/api/invitations', { nom: 'Luc' }],
    ['PUT', '/api/moi/code', { code: null }],
    ['GET', '/api/sessions'],
  ] as const)
    expect((await script.ask(method, path, body, bearer(key))).body, path).toMatchObject({
      code: 'SESSION_REQUISE',
    });
});

test('a key is shown once', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await keyOf(claire, false);
  expect((await claire.ask('GET', '/api/cles')).body).toEqual([
    { id: 1, nom: 'Script', ecrit: false, debut: expect.any(String) as string, vue: null },
  ]);
});

test('a key’s last use is shown', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const key = await keyOf(claire, false);
  const script = home.device();
  expect((await script.ask('GET', '/api/livres', undefined, bearer(key))).status).toBe(200);
  const { body } = await claire.ask('GET', '/api/cles');
  expect(body).toMatchObject([{ vue: expect.any(String) as string }]);
});

test('only its owner ends a key', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const key = await keyOf(claire, false);
  const script = home.device();
  expect((await luc.ask('DELETE', '/api/cles/1')).status).toBe(404);
  expect((await claire.ask('DELETE', '/api/cles/1')).status).toBe(204);
  expect((await script.ask('GET', '/api/livres', undefined, bearer(key))).body).toMatchObject({
    code: 'CLE_INCONNUE',
  });
});

test('a key counts more than the cookie beside it', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const key = await keyOf(claire, false);
  expect((await luc.ask('GET', '/api/moi', undefined, bearer(key))).body).toMatchObject({
    utilisateur: 'claire',
  });
  expect((await luc.ask('GET', '/api/moi', undefined, bearer('ray_faux'))).status).toBe(401);
});

test('behind a sign-on a key reads as its owner', async () => {
  const home = await openHome({ ACCOUNTS: 'non' });
  const claire = { SSO_USER: 'claire' };
  const key = await keyOf(home.device(), false, claire);
  const script = home.device();
  const who = async (headers: Record<string, string>) =>
    (await script.ask('GET', '/api/moi', undefined, headers)).body;
  expect(await who(bearer(key))).toMatchObject({ utilisateur: 'claire' });
  expect(await who({ ...bearer(key), SSO_USER: 'luc' })).toMatchObject({ utilisateur: 'claire' });
  expect((await script.ask('POST', '/api/livres', LIVRE, bearer(key))).body).toMatchObject({
    code: 'LECTURE_SEULE',
  });
  expect((await script.ask('GET', '/api/cles', undefined, claire)).body).toHaveLength(1);
  expect((await script.ask('GET', '/api/cles')).status).toBe(401);
});

test('behind a sign-on layer another’s bearer token is ignored', async () => {
  const home = await openHome({ ACCOUNTS: 'non' });
  const headers = { ...bearer('eyJhbGciOi'), SSO_USER: 'luc' };
  const { body } = await home.device().ask('GET', '/api/moi', undefined, headers);
  expect(body).toMatchObject({ utilisateur: 'luc' });
});

test('a summary contains the household’s numbers and the reader’s own', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  await claire.ask('POST', '/api/livres', LIVRE);
  await claire.ask('POST', '/api/livres/1/prets', { emprunteur: 'Zoé' });
  await claire.ask('PUT', '/api/livres/1/statut', { statut: 1 });
  await claire.ask('POST', '/api/souhaits', { titre: 'Ulysse' });
  const house = {
    livres: 1,
    prets: 1,
    derniersAjouts: [{ id: 1, titre: 'Nadja', auteurs: ['André Breton'] }],
  };
  const key = await keyOf(claire, false);
  const { body } = await home.device().ask('GET', '/api/resume', undefined, bearer(key));
  expect(body).toEqual({ ...house, enCours: 1, aLire: 0, souhaits: 1 });
  expect((await luc.ask('GET', '/api/resume')).body).toEqual({
    ...house,
    enCours: 0,
    aLire: 0,
    souhaits: 0,
  });
});
