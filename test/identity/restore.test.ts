import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { revokeRestoredAccess } from '#server/subjects/identity/members';
import { run, upload } from '../backup/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { keyOf, openHome, PASSWORD, whoReads, type Home } from './support.ts';

/** A backup of a household: Luc has a session, a key and a new invitation, a third member is shut out. */
async function backedUp(): Promise<{ readonly file: string; readonly home: Home }> {
  const home = await openHome();
  const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
  await home.member('Inès');
  await claire.ask('PUT', '/api/membres/3', { nom: 'Inès', gere: false, exclu: true });
  await keyOf(luc, true);
  await claire.ask('POST', '/api/invitations', { membreId: 2, motDePasse: PASSWORD });
  await claire.ask('POST', '/api/invitations', { nom: 'Jo' });
  const { path } = await makeBackup(home.context.config.databasePath, temporaryFolder());
  return { file: path, home };
}

const NAMED = { membres: ['Claire (claire)', 'Luc (luc)'], cles: ['Script (luc)'] };

test('sessions and invitations end, members and keys are named', async () => {
  const { home } = await backedUp();
  const { database } = home.context;
  expect(database.write(revokeRestoredAccess)).toEqual(NAMED);
  for (const table of ['Session', 'Invitation'])
    expect(database.value(`SELECT count(*) FROM ${table}`), table).toBe(0);
});

test('a restored backup opens no session', { tags: 'process' }, async () => {
  const { file, home } = await backedUp();
  const luc = home.device();
  await luc.signIn('luc');
  const later = (await makeBackup(home.context.config.databasePath, temporaryFolder())).path;
  const databasePath = join(temporaryFolder(), 'bibliotheque.sqlite');
  const { lines } = await run('restore', [later], { DATABASE_PATH: databasePath });
  expect(lines).toEqual(
    expect.arrayContaining([
      '  Entrent par elle, à se reconnecter tous : Claire (claire), Luc (luc).',
      '  Clés qui servent par elle : Script (luc).',
    ]),
  );
  const restored = await openHome({ DATABASE_PATH: databasePath });
  const phone = restored.device();
  phone.cookie = luc.cookie;
  expect(await whoReads(phone)).toBe('CONNEXION_REQUISE');
  expect((await phone.signIn('luc')).status).toBe(200);
  expect(file).not.toBe(later);
});

test('a restore by upload reports who can still sign in', async () => {
  const { file } = await backedUp();
  const empty = await openHome({ ACCOUNTS: 'non' });
  expect(await upload(empty.url, readFileSync(file))).toMatchObject({ status: 200, body: NAMED });
});
