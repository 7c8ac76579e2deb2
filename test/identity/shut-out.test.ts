import { request as httpRequest } from 'node:http';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { jetonOf, keyOf, openHome, PASSWORD, whoReads, type Browser } from './support.ts';

/** Opens the event stream of a device; returns whether it is still open. */
async function listen(
  url: string,
  browser: Browser,
  more: Record<string, string> = {},
): Promise<() => boolean> {
  let isOpen = true;
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(`${url}/api/replication/evenements`, {
      headers: browser.headers(more),
    });
    onTestFinished(() => void request.destroy());
    request.on('response', (response) => {
      response.on('error', () => undefined).on('close', () => (isOpen = false));
      response.resume();
      resolve();
    });
    request.on('error', reject).end();
  });
  return () => isOpen;
}

const OUT = { nom: 'Luc', gere: false, exclu: true };

test('a member who is shut out keeps no way in', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const key = await keyOf(luc, true);
  const invited = { membreId: 2, motDePasse: PASSWORD };
  const invitation = jetonOf(await claire.ask('POST', '/api/invitations', invited));
  const script = home.device();
  const bearer = { Authorization: `Bearer ${key}` };
  const streams = [await listen(home.url, luc), await listen(home.url, claire)];
  expect((await claire.ask('PUT', '/api/membres/2', OUT)).status).toBe(200);
  expect(await whoReads(luc)).toBe('CONNEXION_REQUISE');
  expect((await script.ask('GET', '/api/moi', undefined, bearer)).status).toBe(401);
  await eventually(() => streams.map((isOpen) => isOpen())).toEqual([false, true]);
  const arrival = { jeton: invitation, motDePasse: 'une longue phrase' };
  expect((await script.ask('POST', '/api/connexion/arrivee', arrival)).status).toBe(410);
  await claire.ask('PUT', '/api/membres/2', { ...OUT, exclu: false, motDePasse: PASSWORD });
  expect(await whoReads(luc)).toBe('CONNEXION_REQUISE');
  expect((await script.ask('GET', '/api/moi', undefined, bearer)).status).toBe(401);
  expect((await luc.signIn('luc')).status).toBe(200);
});

test('a removed member has no running request left', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  await claire.signIn('luc');
  const key = await keyOf(luc, true);
  const isOpen = await listen(home.url, home.device(), { Authorization: `Bearer ${key}` });
  let isCut = false;
  const upload = httpRequest(`${home.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: luc.headers({ 'Content-Type': 'application/octet-stream', 'Content-Length': '1000' }),
  });
  onTestFinished(() => void upload.destroy());
  upload.on('error', () => (isCut = true)).on('response', () => (isCut = true));
  upload.write('Title,Author\nNadja,André Breton\n');
  await eventually(() => luc.ask('GET', '/api/version').then(({ status }) => status)).toBe(200);
  await claire.ask('PUT', '/api/connexion/lecteur', { membreId: 1 });
  expect([isOpen(), isCut]).toEqual([true, false]);
  expect((await claire.ask('DELETE', '/api/membres/2')).status).toBe(204);
  await eventually(() => [isOpen(), isCut]).toEqual([false, true]);
  expect((await claire.ask('GET', '/api/connexion')).body).toMatchObject({
    visages: [{ nom: 'Claire' }],
  });
  expect((await claire.ask('GET', '/api/importations')).body).toEqual([]);
  expect((await claire.ask('GET', '/api/livres')).body).toEqual([]);
});

test('a waiting write of a shut-out member is not done', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const { database } = home.context;
  const { promise: importing, resolve: release } = Promise.withResolvers<undefined>();
  const import_ = database.handOver('import', () => importing);
  const write = luc
    .ask('POST', '/api/livres', { titre: 'Nadja', auteurs: [], format: 'Physique' })
    .catch(() => null);
  await eventually(() => luc.ask('GET', '/api/version').then(({ status }) => status)).toBe(200);
  const out = claire.ask('PUT', '/api/membres/2', OUT);
  // The write is first in the queue, so remove the session here, while the lock is held.
  new Sqlite(database.options.path).exec('DELETE FROM Session WHERE membreId = 2').close();
  release(undefined);
  await Promise.all([import_, out]);
  const answer = await write;
  expect([401, undefined]).toContain(answer?.status);
  expect((await claire.ask('GET', '/api/livres')).body).toEqual([]);
});

test('a new reader on a tablet ends the other’s stream', async () => {
  const home = await openHome();
  const tablet = await home.member('Claire');
  const isOpen = await listen(home.url, tablet);
  await home.member('Luc');
  await tablet.signIn('luc');
  await eventually(isOpen).toBe(false);
});

test('a session ended elsewhere ends its event stream', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const phone = home.device();
  await phone.signIn('claire');
  const isOpen = await listen(home.url, phone);
  const { body } = await claire.ask('GET', '/api/sessions');
  const other = (body as { id: number; estIci: boolean }[]).find(({ estIci }) => !estIci);
  await claire.ask('DELETE', `/api/sessions/${other?.id}`);
  await eventually(isOpen).toBe(false);
});

test('an unreadable session table only ends the streams', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const isOpen = await listen(home.url, claire);
  const { database } = home.context;
  const read = vi.spyOn(database, 'get').mockImplementation(() => {
    throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_READ');
  });
  database.write((tx) => void tx.run("UPDATE Membre SET nom = 'Clara'"));
  await eventually(isOpen).toBe(false);
  read.mockRestore();
  expect(await whoReads(claire)).toBe('claire');
});
