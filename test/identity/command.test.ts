// @module-tag process
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { built } from '../support/process.ts';
import { openHome, whoReads, type Home } from './support.ts';

/** Runs the operator's command while the service is running. */
async function accounts(home: Home, ...line: readonly string[]) {
  const child = spawn(process.execPath, [built('accounts'), ...line], {
    env: { DATABASE_PATH: home.context.database.options.path },
    // A command that hangs is told by its status and output, not by the end of the test's time.
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null];
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}

test('the operator’s invitation lets in members or newcomers', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  for (const [nom, identifiant] of [
    ['claire', 'claire'],
    ['Mamie Jeanne', 'mamie-jeanne'],
  ] as const) {
    const { stdout, stderr, code } = await accounts(home, 'invite', nom);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const jeton = /\/invitation#(\S+)/.exec(stdout)?.[1];
    const phone = home.device();
    const arrival = { jeton, motDePasse: 'encore une phrase' };
    expect((await phone.ask('POST', '/api/connexion/arrivee', arrival)).status).toBe(201);
    expect(await whoReads(phone)).toBe(identifiant);
  }
  expect(await whoReads(claire)).toBe('CONNEXION_REQUISE');
});

test('the operator gives a member the lists of another name', async () => {
  const home = await openHome();
  const luc = await home.member('Luc');
  for (const kind of ['souhaits', 'lectures'])
    await luc.ask('POST', `/api/${kind}`, { titre: 'Ulysse' });
  const lists = '0 statut, 1 lecture, 1 souhait';
  expect((await accounts(home)).stdout).toBe(`luc (Luc, gère la maison) : ${lists}\n`);
  expect((await accounts(home, 'identifier', 'luc', 'luc.martin')).code).toBe(0);
  expect(await whoReads(luc)).toBe('luc.martin');
  expect((await accounts(home)).stdout).toContain(`luc (sans compte) : ${lists}\n`);
  expect((await accounts(home, 'identifier', 'luc', 'x')).code).toBe(1);
});

test('the operator’s command waits for another write', async () => {
  const home = await openHome();
  const writing = new Sqlite(home.context.database.options.path);
  onTestFinished(() => void writing.close());
  writing.exec('BEGIN IMMEDIATE');
  const invited = accounts(home, 'invite', 'claire');
  await delay(2_000);
  writing.exec('ROLLBACK');
  expect(await invited).toMatchObject({ code: 0, stderr: '' });
});
