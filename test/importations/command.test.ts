// @module-tag process
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { built, ServerProcess } from '../support/process.ts';
import { send } from '../support/server.ts';

/** A certificate of a private authority, for another name than this machine's address. */
function localCertificate(): { TLS_CERT: string; TLS_KEY: string } {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const openssl = (line: string) => execFileSync('openssl', line.split(' '), { stdio: 'ignore' });
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  writeFileSync(at('names'), 'subjectAltName=DNS:bibliotheque.local');
  openssl(
    `req -x509 ${newKey} -days 2 -subj /CN=Authority -keyout ${at('ca.key')} -out ${at('ca')}`,
  );
  openssl(`req ${newKey} -subj /CN=bibliotheque.local -keyout ${at('key')} -out ${at('request')}`);
  openssl(
    `x509 -req -in ${at('request')} -CA ${at('ca')} -CAkey ${at('ca.key')} -CAcreateserial -days 2 -extfile ${at('names')} -out ${at('cert')}`,
  );
  return { TLS_CERT: at('cert'), TLS_KEY: at('key') };
}

/** Starts a server, and returns its port. */
async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a port has an address of this type.
  return String((server.address() as AddressInfo).port);
}

async function freePort(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  return port;
}

/** Runs the command as npm does. */
async function runImport(
  file: string,
  settings: Record<string, string>,
  { input = '', options = [] }: { input?: string; options?: readonly string[] } = {},
) {
  const args = [built('import'), file, '--utilisateur=camille', ...options];
  const child = spawn(process.execPath, args, {
    env: { ...settings },
  });
  child.stdin.end(input);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, said };
}

function household() {
  const folder = temporaryFolder();
  const file = join(folder, 'livres.csv');
  writeFileSync(file, 'Titre,Auteurs,Prix\nNadja,André Breton,12\n');
  return { file, DATABASE_PATH: join(folder, 'maison.sqlite') };
}

test('the import goes through a service with one’s own certificate', async () => {
  const { file, DATABASE_PATH } = household();
  const settings = { DATABASE_PATH, PORT: await freePort(), ...localCertificate() };
  const service = new ServerProcess(settings);
  await service.url();
  const { code, said } = await runImport(file, settings);
  expect(said).toContain('1 nouveau');
  expect(said).toContain('Prix : 1 valeur n’est pas reprise');
  expect(code).toBe(0);
  await service.end('SIGTERM');
  const database = temporaryDatabase(DATABASE_PATH);
  expect(database.prepare('SELECT titre FROM Livre').all()).toEqual([{ titre: 'Nadja' }]);
});

test('a file that another program passes to the command is imported through the service', async () => {
  const { file, DATABASE_PATH } = household();
  const settings = { DATABASE_PATH, PORT: await freePort() };
  const service = new ServerProcess(settings);
  const url = await service.url();
  const { code, said } = await runImport('-', settings, { input: readFileSync(file, 'utf8') });
  expect([code, said]).toEqual([0, expect.stringContaining('1 nouveau')]);
  expect((await send(`${url}/api/livres`)).text).toContain('Nadja');
});

test('the import reports the encoding that it guessed, and takes another on demand', async () => {
  const { file, DATABASE_PATH } = household();
  // « Été » in the encoding of a Macintosh.
  writeFileSync(file, Buffer.from('Titre\n\x83t\x8e\n', 'latin1'));
  const guessed = await runImport(file, { DATABASE_PATH }, { options: ['--dry-run'] });
  expect(guessed.said).toContain('macintosh, deviné');
  expect(guessed.said).toContain('lu : Été');
  const withOptions = { options: ['--essai', '--encoding=windows-1252'] };
  expect((await runImport(file, { DATABASE_PATH }, withOptions)).said).toContain('lu : ƒtŽ');
  const wrong = { options: ['--encodage=rot13'] };
  expect(await runImport(file, { DATABASE_PATH }, wrong)).toMatchObject({ code: 1 });
});

test('with accounts the import needs a key', async () => {
  const { file, DATABASE_PATH } = household();
  const settings = { DATABASE_PATH, PORT: await freePort(), ACCOUNTS: 'oui' };
  await new ServerProcess(settings).url();
  const { code, said } = await runImport(file, settings);
  expect([code, said]).toEqual([1, expect.stringContaining('par --cle=ray_…')]);
});

test('a server under another certificate gets no import', async () => {
  const { file, DATABASE_PATH } = household();
  const other = localCertificate();
  const stranger = createHttpsServer(
    { cert: readFileSync(other.TLS_CERT), key: readFileSync(other.TLS_KEY) },
    (_request, response) => response.end('{}'),
  );
  const PORT = await listen(stranger);
  onTestFinished(() => void stranger.close());
  const { said } = await runImport(file, { DATABASE_PATH, PORT, ...localCertificate() });
  expect(said).toContain('1 nouveau');
});

test('on the file itself books are known by present rules', async () => {
  const { file, DATABASE_PATH } = household();
  const before = temporaryDatabase(DATABASE_PATH);
  before.write((tx) => {
    tx.run(
      `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, typeDocument, dateAjout)
       VALUES ('Nadja', 'old', 'old', 'Physique', 'NonPrecise', '2026-01-01T00:00:00.000Z')`,
    );
    tx.run(
      "INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('André Breton', 'andre breton', 'andre breton')",
    );
    tx.run('INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (1, 1, 0)');
  });
  before.close();
  const { said } = await runImport(file, { DATABASE_PATH, PORT: await freePort() });
  expect(said).toContain('0 nouveau');
  expect(said).toContain('1 déjà là');
});

test.each([
  [[], 'avec --themes, elle devient un thème', '[]'],
  [['--themes'], 'thèmes : sf', '["sf"]'],
])('with the options %j the command reports tags', async (options, sentence, themes) => {
  const { file, DATABASE_PATH } = household();
  writeFileSync(file, 'Titre,Tags\nUbik,sf\n');
  const settings = { DATABASE_PATH, PORT: await freePort() };
  const { said } = await runImport(file, settings, { options });
  expect(said).toContain(sentence);
  const sql = 'SELECT json_group_array(nom) AS noms FROM Theme';
  expect(temporaryDatabase(DATABASE_PATH).prepare(sql).all()).toEqual([{ noms: themes }]);
});
