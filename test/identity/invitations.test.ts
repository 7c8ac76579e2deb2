import { expect, test } from 'vitest';
import { firstCode } from '#server/subjects/identity/invitations';
import {
  jetonOf,
  openHome,
  PASSWORD,
  whoReads,
  type Browser,
  type Home,
  type Reply,
} from './support.ts';

const arrival = (jeton: string, more: object = {}) => ({ jeton, motDePasse: PASSWORD, ...more });

test('the first code makes one managing member only', async () => {
  const home = await openHome();
  const jeton = home.context.database.write((tx) => firstCode(tx)) ?? '';
  const claire = home.device();
  const saisi = arrival(jeton, { nom: 'Claire', identifiant: 'claire' });
  expect((await claire.ask('POST', '/api/connexion/arrivee', saisi)).status).toBe(201);
  expect((await claire.ask('GET', '/api/membres')).body).toMatchObject([{ gere: true }]);
  const again = await home.device().ask('POST', '/api/connexion/arrivee', saisi);
  expect(again.body).toMatchObject({ code: 'INVITATION_FINIE' });
  expect(home.context.database.write((tx) => firstCode(tx))).toBeNull();
});

test('a start’s first code replaces the one before', async () => {
  const home = await openHome();
  const [before = '', now = ''] = [0, 1].map(
    () => home.context.database.write((tx) => firstCode(tx)) ?? '',
  );
  const read = (jeton: string) => home.device().ask('POST', '/api/connexion/invitation', { jeton });
  expect((await read(before)).status).toBe(410);
  expect((await read(now)).body).toEqual({ nom: null, identifiant: null, estMembre: false });
});

test('of two people who open the first code one becomes a member', async () => {
  const home = await openHome();
  const jeton = home.context.database.write((tx) => firstCode(tx)) ?? '';
  const answers = await Promise.all(
    ['Claire', 'Luc', 'Inès'].map((nom) =>
      home.device().ask('POST', '/api/connexion/arrivee', arrival(jeton, { nom })),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410]);
});

test('of two people who open an invitation one becomes a member', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const jeton = jetonOf(await claire.ask('POST', '/api/invitations', { nom: 'Luc' }));
  const phones = [home.device(), home.device()];
  const answers = await Promise.all(
    phones.map((phone) => phone.ask('POST', '/api/connexion/arrivee', arrival(jeton))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 410]);
  expect((await Promise.all(phones.map(whoReads))).sort()).toEqual(['CONNEXION_REQUISE', 'luc']);
});

test('looking at an invitation does not use it up', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const jeton = jetonOf(await claire.ask('POST', '/api/invitations', { nom: 'Luc' }));
  for (let i = 0; i < 2; i++)
    expect((await home.device().ask('POST', '/api/connexion/invitation', { jeton })).body).toEqual({
      nom: 'Luc',
      identifiant: 'luc',
      estMembre: false,
    });
});

test('an invited person cannot take another name or more rights', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const jeton = jetonOf(await claire.ask('POST', '/api/invitations', { nom: 'Luc' }));
  const luc = home.device();
  const wanted = arrival(jeton, { nom: 'Claire', identifiant: 'ines', gere: true });
  await luc.ask('POST', '/api/connexion/arrivee', wanted);
  expect(await whoReads(luc)).toBe('luc');
  expect((await luc.ask('GET', '/api/membres')).body).toMatchObject([
    { nom: 'Claire', gere: true },
    { nom: 'Luc', gere: false },
  ]);
});

const invite = (browser: Browser, nom: string) => browser.ask('POST', '/api/invitations', { nom });
const read = async (home: Home, invitation: Reply) =>
  (await home.device().ask('POST', '/api/connexion/invitation', { jeton: jetonOf(invitation) }))
    .status;

test('an invitation ends after seven days', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const late = await invite(claire, 'Luc');
  home.context.database.write((tx) =>
    tx.run('UPDATE Invitation SET fin = fin - 7 * 24 * 60 * 60 * 1000'),
  );
  expect(await read(home, late)).toBe(410);
  expect((await claire.ask('GET', '/api/invitations')).body).toEqual([]);
});

test('an invitation ends when it is withdrawn', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const withdrawn = await invite(claire, 'Inès');
  const { id } = withdrawn.body as { id: number };
  expect((await claire.ask('DELETE', `/api/invitations/${id}`)).status).toBe(204);
  expect(await read(home, withdrawn)).toBe(410);
  expect((await claire.ask('GET', '/api/invitations')).body).toEqual([]);
});

test('an invitation ends when it is replaced', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const [replaced, latest] = [await invite(claire, 'Jo'), await invite(claire, 'Jo')];
  expect(await read(home, replaced)).toBe(410);
  expect(await read(home, latest)).toBe(200);
  expect((await claire.ask('GET', '/api/invitations')).body).toMatchObject([{ nom: 'Jo' }]);
});

test.each([
  ['is shut out', { gere: true, exclu: true }],
  ['does not manage any more', { gere: false, exclu: false }],
  ['is removed', null],
])('invitations end with their author: who %s', async (_, change) => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const manages = { nom: 'Luc', gere: true, exclu: false, motDePasse: PASSWORD };
  await claire.ask('PUT', '/api/membres/2', manages);
  const invite = async (by: Browser, body: object) =>
    jetonOf(await by.ask('POST', '/api/invitations', body));
  const back = await invite(luc, { nom: 'Lucas', gere: true, motDePasse: PASSWORD });
  const taken = await invite(luc, { membreId: 1, motDePasse: PASSWORD });
  const other = await invite(claire, { nom: 'Inès' });
  if (change === null) await claire.ask('DELETE', '/api/membres/2');
  else await claire.ask('PUT', '/api/membres/2', { ...manages, ...change });
  for (const jeton of [back, taken]) {
    const { status } = await home.device().ask('POST', '/api/connexion/arrivee', arrival(jeton));
    expect(status).toBe(410);
  }
  const reply = await home.device().ask('POST', '/api/connexion/invitation', { jeton: other });
  expect(reply.status).toBe(200);
});

test('a member without password can only return by an invitation', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const invited = { membreId: 2, motDePasse: PASSWORD };
  const jeton = jetonOf(await claire.ask('POST', '/api/invitations', invited));
  const phone = home.device();
  const chosen = { jeton, motDePasse: 'une toute autre phrase' };
  expect((await phone.ask('POST', '/api/connexion/arrivee', chosen)).body).toMatchObject({
    utilisateur: 'luc',
  });
  expect(await whoReads(luc)).toBe('CONNEXION_REQUISE');
  expect((await home.device().signIn('luc')).status).toBe(401);
});
