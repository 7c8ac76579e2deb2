import { expect, test } from 'vitest';
import { firstCode } from '#server/subjects/identity/domain/invitations';
import { jetonOf, openHome, PASSWORD, whoReads } from './support.ts';

const arrival = (jeton: string, more: object = {}) => ({ jeton, motDePasse: PASSWORD, ...more });

test('the first code makes the first member, who manages, and burns', async () => {
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

test('each start draws another first code, and the one before serves no more', async () => {
  const home = await openHome();
  const [before = '', now = ''] = [0, 1].map(
    () => home.context.database.write((tx) => firstCode(tx)) ?? '',
  );
  const read = (jeton: string) => home.device().ask('POST', '/api/connexion/invitation', { jeton });
  expect((await read(before)).status).toBe(410);
  expect((await read(now)).body).toEqual({ nom: null, identifiant: null, estMembre: false });
});

test('of two who open the first code together one becomes the member', async () => {
  const home = await openHome();
  const jeton = home.context.database.write((tx) => firstCode(tx)) ?? '';
  const answers = await Promise.all(
    ['Claire', 'Luc', 'Inès'].map((nom) =>
      home.device().ask('POST', '/api/connexion/arrivee', arrival(jeton, { nom })),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410]);
});

test('of two who open an invitation together one becomes the member', async () => {
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

test('looking at an invitation does not use it up, and names who is invited', async () => {
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

test('who is invited cannot take another name or more rights', async () => {
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

test('an invitation ends after seven days, when it is withdrawn, and when it is replaced', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const invite = async (nom: string) => claire.ask('POST', '/api/invitations', { nom });
  const read = async (jeton: string) =>
    (await home.device().ask('POST', '/api/connexion/invitation', { jeton })).status;
  const [late, withdrawn, replaced] = [
    await invite('Luc'),
    await invite('Inès'),
    await invite('Jo'),
  ];
  const { id } = withdrawn.body as { id: number };
  expect((await claire.ask('DELETE', `/api/invitations/${id}`)).status).toBe(204);
  const latest = await invite('Jo');
  home.context.database.write((tx) =>
    tx.run("UPDATE Invitation SET fin = fin - 7 * 24 * 60 * 60 * 1000 WHERE nom = 'Luc'"),
  );
  for (const gone of [late, withdrawn, replaced]) expect(await read(jetonOf(gone))).toBe(410);
  expect(await read(jetonOf(latest))).toBe(200);
  expect((await claire.ask('GET', '/api/invitations')).body).toMatchObject([{ nom: 'Jo' }]);
});

test('who has forgotten the password chooses another by an invitation, and is signed in there alone', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const jeton = jetonOf(await claire.ask('POST', '/api/invitations', { membreId: 2 }));
  const phone = home.device();
  const chosen = { jeton, motDePasse: 'une toute autre phrase' };
  expect((await phone.ask('POST', '/api/connexion/arrivee', chosen)).body).toMatchObject({
    utilisateur: 'luc',
  });
  expect(await whoReads(luc)).toBe('CONNEXION_REQUISE');
  expect((await home.device().signIn('luc')).status).toBe(401);
});
