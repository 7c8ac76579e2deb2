import { expect, test, vi } from 'vitest';
import { backupOf, upload } from '../backup/support.ts';
import { unzip } from '../export/support.ts';
import { jetonOf, keyOf, longWork, openHome, PASSWORD, whoReads, type Home } from './support.ts';

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

test('a member who does not manage cannot invite, change or remove anybody', async () => {
  const home = await openHome();
  await home.member('Claire');
  const luc = await home.member('Luc');
  for (const [method, path, body] of [
    ['POST', '/api/invitations', { nom: 'Inès' }],
    ['GET', '/api/invitations'],
    ['PUT', '/api/membres/1', { nom: 'Claire', gere: false, exclu: true }],
    ['PUT', '/api/membres/2', { nom: 'Luc', gere: true, exclu: false }],
    ['DELETE', '/api/membres/1'],
  ] as const)
    expect((await luc.ask(method, path, body)).body, `${method} ${path}`).toMatchObject({
      code: 'GESTION_RESERVEE',
    });
  const renamed = { nom: 'Luc-Antoine', gere: false, exclu: false };
  expect((await luc.ask('PUT', '/api/membres/2', renamed)).body).toMatchObject(renamed);
});

test.each([
  ['POST', '/api/invitations', { nom: 'Inès' }],
  ['DELETE', '/api/invitations/1', undefined],
  ['DELETE', '/api/membres/1', undefined],
  ['POST', '/api/restauration', undefined],
] as const)(
  '%s %s of who manages no longer when its turn comes is refused',
  async (method, path, body) => {
    const home = await openHome();
    const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
    const luc2 = { nom: 'Luc', exclu: false, motDePasse: PASSWORD };
    await claire.ask('PUT', '/api/membres/2', { ...luc2, gere: true });
    const backup = await backupOf(['Nadja']);
    const work = longWork(home);
    const demoted = claire.ask('PUT', '/api/membres/2', { ...luc2, gere: false });
    await work.waiting(1);
    const waiting =
      path === '/api/restauration'
        ? upload(home.url, backup, luc.headers({ 'Content-Type': 'application/octet-stream' }))
        : luc.ask(method, path, body);
    await work.waiting(2);
    await work.end();
    expect((await demoted).body).toMatchObject({ gere: false });
    expect(await waiting).toMatchObject({ status: 403, body: { code: 'GESTION_RESERVEE' } });
  },
);

test('only who manages, never a key, restores a backup', async () => {
  const home = await openHome();
  const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
  const key = await keyOf(claire, true);
  const restore = async (headers: Record<string, string>) => {
    const type = { 'Content-Type': 'application/octet-stream' };
    const init = { method: 'POST', body: 'ceci n’est pas une sauvegarde' };
    const response = await fetch(`${home.url}/api/restauration`, {
      ...init,
      headers: { ...headers, ...type },
    });
    return ((await response.json()) as { code: string }).code;
  };
  expect(await restore(luc.headers())).toBe('GESTION_RESERVEE');
  expect(await restore({ Authorization: `Bearer ${key}` })).toBe('SESSION_REQUISE');
  expect(await restore(claire.headers())).toBe('FICHIER_INVALIDE');
});

test('there is always a manager', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await home.member('Luc');
  const refused = { code: 'DERNIERE_GESTION' };
  const last = { nom: 'Claire', gere: false, exclu: false };
  expect((await claire.ask('PUT', '/api/membres/1', last)).body).toMatchObject(refused);
  expect((await claire.ask('DELETE', '/api/membres/1')).body).toMatchObject(refused);
  await claire.ask('PUT', '/api/membres/2', {
    nom: 'Luc',
    gere: true,
    exclu: false,
    motDePasse: PASSWORD,
  });
  expect((await claire.ask('PUT', '/api/membres/1', last)).status).toBe(200);
});

test('a removed member’s lists belong to the next member with that identifier', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  await luc.ask('POST', '/api/souhaits', { titre: 'Ulysse' });
  await luc.ask('POST', '/api/lectures', { titre: 'Nadja', note: 8 });
  expect((await claire.ask('DELETE', '/api/membres/2')).status).toBe(204);
  expect((await home.device().signIn('luc')).status).toBe(401);
  const again = await home.member('Luc');
  expect((await again.ask('GET', '/api/souhaits')).body).toMatchObject([{ titre: 'Ulysse' }]);
  expect((await again.ask('GET', '/api/lectures')).body).toMatchObject([{ titre: 'Nadja' }]);
});

test('nobody asks for another’s lists or counts', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await home.member('Luc');
  for (const path of ['membres/2/listes', 'membres/2/export.zip', 'annee-maison?annee=2024'])
    expect(await claire.ask('GET', `/api/${path}`), path).toMatchObject({
      status: 404,
      body: { code: 'INTROUVABLE' },
    });
});

/** Restarts the service, this many days from now. */
async function restartAfter(home: Home, days: number, settings?: Record<string, string>) {
  const { databasePath } = home.context.config;
  await home.close();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
  return openHome({ DATABASE_PATH: databasePath, ...settings });
}

const listsOf = ({ context: { database } }: Home, utilisateur: string): unknown[] =>
  ['Statut', 'Lecture', 'Souhait', 'RevueSouhaitee', 'Selection'].map((table) =>
    database.value(`SELECT count(*) FROM ${table} WHERE utilisateur = ?`, utilisateur),
  );

async function removedLuc(): Promise<Home> {
  const home = await openHome();
  const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
  await luc.ask('POST', '/api/livres', { titre: 'Dune', auteurs: [], format: 'Physique' });
  for (const one of [claire, luc]) {
    await one.ask('PUT', '/api/livres/1/statut', { statut: 2 });
    await one.ask('POST', '/api/souhaits', { titre: 'Ulysse' });
    await one.ask('POST', '/api/souhaits-revues', { titre: 'La Hulotte' });
    await one.ask('POST', '/api/selections', { nom: 'Lus', criteres: { statut: '2' } });
  }
  await claire.ask('DELETE', '/api/membres/2');
  return home;
}

test('lists of a removed member wait for thirty days', async () => {
  const home = await restartAfter(await removedLuc(), 29);
  expect(listsOf(home, 'luc')).toEqual([1, 1, 1, 1, 1]);
  const later = await restartAfter(home, 2);
  expect(listsOf(later, 'luc')).toEqual([0, 0, 0, 0, 0]);
  expect(listsOf(later, 'claire')).toEqual([1, 1, 1, 1, 1]);
});

test('lists of who came back wait for nothing', async () => {
  const home = await removedLuc();
  const phone = home.device();
  await phone.signIn('claire');
  const jeton = jetonOf(await phone.ask('POST', '/api/invitations', { nom: 'Luc' }));
  const again = { jeton, motDePasse: PASSWORD };
  expect((await home.device().ask('POST', '/api/connexion/arrivee', again)).status).toBe(201);
  expect(listsOf(await restartAfter(home, 31), 'luc')).toEqual([1, 1, 1, 1, 1]);
});

test('without accounts no removal ends anyone’s lists', async () => {
  const home = await restartAfter(await removedLuc(), 20, { ACCOUNTS: 'non' });
  expect(listsOf(await restartAfter(home, 20), 'luc')).toEqual([1, 1, 1, 1, 1]);
});

test('no data of accounts is in a replica, an export or the history', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await home.member('Zébulon');
  await claire.ask('POST', '/api/livres', { titre: 'Nadja', format: 'Physique', auteurs: [] });
  const zip = await fetch(`${home.url}/api/export.zip`, { headers: claire.headers() });
  const files = await unzip(Buffer.from(await zip.arrayBuffer()));
  const replica = await claire.ask('GET', '/api/replication?modifications=true');
  const acts = await claire.ask('GET', '/api/modifications');
  const texts = [JSON.stringify(replica.body), JSON.stringify(acts.body), ...files.values()];
  expect(texts.filter((text) => text.includes('Nadja')).length).toBeGreaterThan(3);
  expect(texts.filter((text) => /z[ée]bulon|argon2/i.test(text))).toEqual([]);
});

test('an identifier is one member’s', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  expect((await claire.ask('POST', '/api/invitations', { nom: 'claire' })).body).toMatchObject({
    code: 'IDENTIFIANT_EXISTANT',
  });
});

test('invisible characters do not distinguish names', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  for (const identifiant of ['cla\u{200b}ire', 'claire\u{2060}', '\u{202e}claire', 'cla\u{ad}ire'])
    expect(
      (await claire.ask('POST', '/api/invitations', { nom: 'Jo', identifiant })).body,
    ).toMatchObject({ code: 'IDENTIFIANT_EXISTANT' });
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
    venue: { https: false, adresse: '192.0.2.1', date: expect.any(String) as string },
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
