// @module-tag process
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openFilesOf } from '../support/open-files.ts';
import { built } from '../support/process.ts';
import { openHome, whoReads, type Home } from './support.ts';

/** Starts the operator's command while the service is running. */
function start(home: Home, ...line: readonly string[]) {
  const child = spawn(process.execPath, [built('accounts'), ...line], {
    env: { DATABASE_PATH: home.context.database.options.path },
    // Kills a command that hangs before the test's timeout, so that its status and output are reported.
    timeout: 60_000,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, ended: endOf(child) };
}

async function endOf(child: ChildProcessByStdio<null, Readable, Readable>) {
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null];
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}

const accounts = (home: Home, ...line: readonly string[]) => start(home, ...line).ended;

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

test('without members the command says so', async () => {
  const home = await openHome();
  expect((await accounts(home)).stdout).toBe('Personne n’a encore de compte ni de liste.\n');
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
  expect(await accounts(home, 'identifier', 'luc', 'x')).toMatchObject({
    code: 1,
    stderr: 'Aucun membre n’a l’identifiant luc.\n',
  });
});

test('the operator’s command waits for another write', async () => {
  const home = await openHome();
  const { path } = home.context.database.options;
  const writing = new Sqlite(path);
  onTestFinished(() => void writing.close());
  writing.exec('BEGIN IMMEDIATE');
  const { child, ended } = start(home, 'invite', 'claire');
  await eventually(() => openFilesOf(child.pid)).toContain(path);
  writing.exec('ROLLBACK');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});
