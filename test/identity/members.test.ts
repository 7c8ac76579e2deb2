import { expect, test } from 'vitest';
import { unzip } from '../export/support.ts';
import { keyOf, openHome, PASSWORD, whoReads, type Browser } from './support.ts';

test('members read in their own names', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  expect(await whoReads(claire)).toBe('claire');
  expect(await whoReads(luc)).toBe('luc');
});

test('members share books with statuses of their own', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  await claire.ask('POST', '/api/livres', { titre: 'Nadja', auteurs: [], format: 'Physique' });
  await luc.ask('PUT', '/api/livres/1/statut', { statut: 1 });
  expect((await luc.ask('GET', '/api/livres/1')).body).toMatchObject({ statut: 1 });
  expect((await claire.ask('GET', '/api/livres/1')).body).toMatchObject({
    statut: null,
    ajoutePar: 'claire',
  });
});

test('a member signs in again with the password', async () => {
  const home = await openHome();
  await home.member('Claire');
  const phone = home.device();
  expect((await phone.signIn('claire')).body).toEqual({
    utilisateur: 'claire',
    email: null,
    nomComplet: 'Claire',
    compte: true,
  });
  expect(await whoReads(phone)).toBe('claire');
});

test('who does not manage invites, changes and removes nobody', async () => {
  const home = await openHome();
  await home.member('Claire');
  const luc = await home.member('Luc');
  for (const [method, path, body] of [
    ['POST', '/api/invitations', { nom: 'Inès' }],
    ['GET', '/api/invitations'],
    ['PUT', '/api/membres/1', { nom: 'Claire', gere: false, exclu: true }],
    ['PUT', '/api/membres/2', { nom: 'Luc', gere: true, exclu: false }],
    ['DELETE', '/api/membres/1'],
    ['GET', '/api/membres/1/listes'],
  ] as const)
    expect((await luc.ask(method, path, body)).body, `${method} ${path}`).toMatchObject({
      code: 'GESTION_RESERVEE',
    });
  const renamed = { nom: 'Luc-Antoine', gere: false, exclu: false };
  expect((await luc.ask('PUT', '/api/membres/2', renamed)).body).toMatchObject(renamed);
});

test('only who manages, never a key, restores a backup', async () => {
  const home = await openHome();
  const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
  const key = await keyOf(claire, true);
  const restore = async (headers: Record<string, string>) => {
    const type = { 'Content-Type': 'application/octet-stream' };
    const init = { method: 'POST', body: 'ceci n’est pas une sauvegarde' };
    const response = await fetch(`${home.url}/api/restauration`, {
      ...{ ...init, headers: { ...headers, ...type } },
    });
    return ((await response.json()) as { code: string }).code;
  };
  expect(await restore(luc.headers())).toBe('GESTION_RESERVEE');
  expect(await restore({ Authorization: `Bearer ${key}` })).toBe('SESSION_REQUISE');
  expect(await restore(claire.headers())).toBe('FICHIER_INVALIDE');
});

test('somebody always manages the house', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await home.member('Luc');
  const refused = { code: 'DERNIERE_GESTION' };
  const last = { nom: 'Claire', gere: false, exclu: false };
  expect((await claire.ask('PUT', '/api/membres/1', last)).body).toMatchObject(refused);
  expect((await claire.ask('DELETE', '/api/membres/1')).body).toMatchObject(refused);
  await claire.ask('PUT', '/api/membres/2', { nom: 'Luc', gere: true, exclu: false });
  expect((await claire.ask('PUT', '/api/membres/1', last)).status).toBe(200);
});

test('a removed member’s lists await whoever has the identifier', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  await luc.ask('POST', '/api/souhaits', { titre: 'Ulysse' });
  await luc.ask('POST', '/api/lectures', { titre: 'Nadja', note: 8 });
  expect((await claire.ask('GET', '/api/membres/2/listes')).body).toEqual({
    statuts: 0,
    souhaits: 1,
  });
  expect((await claire.ask('DELETE', '/api/membres/2')).status).toBe(204);
  expect((await home.device().signIn('luc')).status).toBe(401);
  const again = await home.member('Luc');
  expect((await again.ask('GET', '/api/souhaits')).body).toMatchObject([{ titre: 'Ulysse' }]);
  expect((await again.ask('GET', '/api/lectures')).body).toMatchObject([{ titre: 'Nadja' }]);
});

test('a manager takes along the lists of a member alone', async () => {
  const home = await openHome();
  const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
  await luc.ask('POST', '/api/souhaits', { titre: 'Ulysse' });
  await claire.ask('POST', '/api/souhaits', { titre: 'Nadja' });
  const path = '/api/membres/2/export.zip';
  const response = await fetch(home.url + path, { headers: claire.headers() });
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  const files = await unzip(Buffer.from(await response.arrayBuffer()));
  const all = [...files.values()].join();
  expect(all).toContain('Ulysse');
  expect(all).not.toContain('Nadja');
  const key = await keyOf(claire, true);
  const script = await home
    .device()
    .ask('GET', path, undefined, { Authorization: `Bearer ${key}` });
  for (const { status } of [await luc.ask('GET', '/api/membres/1/export.zip'), script])
    expect(status).toBe(403);
  expect((await claire.ask('GET', '/api/membres/9/export.zip')).status).toBe(404);
});

test('a manager’s file tells nothing of a member’s readings', async () => {
  const home = await openHome();
  const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
  for (const titre of ['Dune', 'Sido'])
    await luc.ask('POST', '/api/livres', { titre, auteurs: [], format: 'Physique' });
  const noted = { fin: '2019-03-12', note: 9, avis: 'inavouable' };
  await luc.ask('POST', '/api/lectures', { livreId: 1, ...noted });
  await luc.ask('POST', '/api/lectures', { livreId: 2, debut: '2019-03-13', abandon: true });
  await luc.ask('POST', '/api/lectures', { titre: 'Lu ailleurs', ...noted });
  await luc.ask('PUT', '/api/livres/1/statut', { statut: 0 });
  const take = async (browser: Browser, path: string) => {
    const response = await fetch(home.url + path, { headers: browser.headers() });
    return unzip(Buffer.from(await response.arrayBuffer()));
  };
  const taken = await take(claire, '/api/membres/2/export.zip');
  const secrets = /inavouable|ailleurs|2019[-/]03|4,5|"note"|abandonné"?;|did-not-finish/;
  for (const [name, text] of taken)
    if (!name.endsWith('.schema.json')) expect(text, name).not.toMatch(secrets);
  expect([...taken.keys()].filter((name) => name.includes('lectures'))).toEqual([]);
  expect(taken.get('json/livres.json')).toContain('"statut":0');
  expect(taken.get('livres.csv')).toContain('à lire');
  const own = await take(luc, '/api/export.zip');
  for (const name of ['json/lectures.json', 'livres.csv', 'goodreads.csv'])
    expect(own.get(name), name).toMatch(secrets);
});

test('an identifier is one member’s', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  expect((await claire.ask('POST', '/api/invitations', { nom: 'claire' })).body).toMatchObject({
    code: 'IDENTIFIANT_EXISTANT',
  });
});

test('a new password ends all other sessions', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const phone = home.device();
  await phone.signIn('claire');
  const change = { ancien: PASSWORD, nouveau: 'une autre phrase' };
  expect((await claire.ask('PUT', '/api/moi/mot-de-passe', change)).status).toBe(204);
  expect(await whoReads(claire)).toBe('claire');
  expect(await whoReads(phone)).toBe('CONNEXION_REQUISE');
  expect((await phone.signIn('claire')).status).toBe(401);
  expect((await phone.signIn('claire', 'une autre phrase')).status).toBe(200);
});

test('sessions are listed by device, and ended one by one', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const phone = home.device();
  await phone.signIn('claire');
  const luc = await home.member('Luc');
  const { body } = await claire.ask('GET', '/api/sessions');
  expect(body).toMatchObject([
    { appareil: 'Firefox, Android', estIci: false },
    { appareil: 'Firefox, Android', estIci: true },
  ]);
  const [{ id }] = body as [{ id: number }];
  expect((await luc.ask('DELETE', `/api/sessions/${id}`)).status).toBe(404);
  expect((await claire.ask('DELETE', `/api/sessions/${id}`)).status).toBe(204);
  expect(await whoReads(phone)).toBe('CONNEXION_REQUISE');
  expect(await whoReads(claire)).toBe('claire');
});

test('without accounts there is no sign-in', async () => {
  const home = await openHome({ ACCOUNTS: 'non' });
  const device = home.device();
  expect((await device.ask('GET', '/api/connexion')).body).toEqual({
    comptes: false,
    fournisseur: null,
    visages: [],
  });
  expect((await device.signIn('claire')).status).toBe(404);
});

test('without accounts headers say who reads', async () => {
  const home = await openHome({ ACCOUNTS: 'non' });
  const device = home.device();
  expect((await device.ask('GET', '/api/moi', undefined, { SSO_USER: 'claire' })).body).toEqual({
    utilisateur: 'claire',
    email: null,
    nomComplet: null,
  });
});
