import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENTS_PATH, HEARTBEAT } from '#shared/replication';
import { createAuthority } from './proxies/authority.ts';
import { becomeMember, WITH_ACCOUNTS } from './proxies/accounts.ts';
import { Connection, heard, type Answer } from './proxies/exchange.ts';
import { WITH_PASSWORD, WITH_PASSWORDS } from './proxies/passwords.ts';
import { freePort, PORTALS, Running, type Place, type Proxy } from './proxies/proxies.ts';
import { LOGIN, SESSION, startSignOn } from './proxies/sign-on.ts';
import { exitOnError } from './support/exit-on-error.ts';
import { buildIfStale } from './support/build.ts';
import { SERVICE } from './support/server-build.ts';

/**
 * `npm run prove -- proxies`: runs the service behind real proxies with the configurations of deploy/ and TLS, where
 * a sign-on layer, the proxy's passwords or accounts name the caller; all on loopback.
 */

interface Setup extends Place {
  readonly connection: Connection;
  readonly proxy: Proxy;
  readonly signedIn: OutgoingHttpHeaders;
  readonly restart: () => Promise<void>;
}

const JSON_POST = { ':method': 'POST', 'content-type': 'application/json' };
const UPLOAD = { ':method': 'POST', 'content-type': 'application/octet-stream' };

/** More than a proxy buffers in memory, and than nginx accepts by default. */
const LARGE = randomBytes(40_000_000);

const json = ({ bytes }: Answer): unknown => JSON.parse(bytes.toString());

type Check = (setup: Setup) => Promise<void>;

const CHECKS: Readonly<Record<string, Check>> = {
  'the page comes over HTTP/2, compressed, with the addresses of its base': async (setup) => {
    const { connection, base, signedIn } = setup;
    assert.equal(connection.protocol, 'h2');
    const accepting = (encoding: string) =>
      connection.ask(`${base}/livres/1`, { ...signedIn, 'accept-encoding': encoding });
    const small = await accepting('br');
    assert.deepEqual([small.status, small.headers['content-encoding']], [200, 'br']);
    const page = (await accepting('identity')).bytes.toString();
    const [, file = ''] = /href="([^"]+)" rel="modulepreload"/.exec(page) ?? [];
    assert.ok(file.startsWith(`${base}/_app/immutable/`), file);
    const first = await connection.ask(file, signedIn);
    assert.equal(first.status, 200);
    const again = { ...signedIn, 'if-none-match': String(first.headers.etag) };
    assert.equal((await connection.ask(file, again)).status, 304);
  },
  'who is calling is known by the sign-on or by a session, and by nothing else': async ({
    connection,
    base,
    signedIn,
    proxy,
  }) => {
    const isPortal = proxy.signOn === 'portal';
    const isNamed = proxy.signOn !== 'password';
    const claim = { sso_user: 'mallory', sso_user_email: 'm@example.org' };
    const known = await connection.ask(`${base}/api/moi`, { ...signedIn, ...claim });
    const nomComplet = isNamed ? 'Alice' : null;
    const alice = { utilisateur: 'alice', email: null, nomComplet };
    assert.deepEqual(json(known), proxy.signOn === 'accounts' ? { ...alice, compte: true } : alice);
    const { status, headers } = await connection.ask(`${base}/api/moi`, claim);
    assert.deepEqual([status, headers.location], isPortal ? [302, LOGIN] : [401, undefined]);
  },
  'a write of this origin passes, and its answer names the new address': async (setup) => {
    const { connection, base, port, signedIn } = setup;
    const origin = `https://localhost:${port}`;
    const livre = Buffer.from('{"titre":"Le livre","format":"Physique"}');
    const made = await connection.ask(
      `${base}/api/livres`,
      { ...JSON_POST, ...signedIn, origin },
      livre,
    );
    assert.equal(made.status, 201);
    const found = await connection.ask(String(made.headers.location), signedIn);
    assert.equal(found.status, 200);
  },
  'a change is announced at once': async ({ connection, base, signedIn }) => {
    const stream = connection.listen(base + EVENTS_PATH, signedIn);
    await heard(stream, HEARTBEAT);
    const announced = heard(stream, 'event: revision');
    const revue = Buffer.from('{"titre":"La Hulotte"}');
    assert.equal(
      (await connection.ask(`${base}/api/revues`, { ...JSON_POST, ...signedIn }, revue)).status,
      201,
    );
    await announced;
    stream.close();
  },
  'plain HTTP leads to HTTPS, at the same address': async ({ base, plainPort }) => {
    const address = `http://localhost:${plainPort}${base}/livres/1`;
    const { status, headers } = await fetch(address, { redirect: 'manual' });
    assert.equal(status, 308);
    const { protocol, pathname } = new URL(headers.get('location') ?? '');
    assert.deepEqual([protocol, pathname], ['https:', `${base}/livres/1`]);
  },
  'HTTPS is kept to for a year, where the proxy says so': async ({
    connection,
    proxy,
    ...setup
  }) => {
    const { headers } = await connection.ask(`${setup.base}/`, setup.signedIn);
    const wanted = proxy.command === 'caddy' ? undefined : 'max-age=31536000';
    assert.equal(headers['strict-transport-security'], wanted);
  },
  'a reader from outside sees no details of the service and no figures': async (setup) => {
    const { connection, base, servicePort, signedIn } = setup;
    const health = await connection.ask(`${base}/api/sante`, signedIn);
    assert.deepEqual(json(health), { etat: 'ok' });
    assert.equal((await connection.ask(`${base}/metrics`, signedIn)).status, 404);
    const here = await fetch(`http://127.0.0.1:${servicePort}/metrics`);
    assert.match(await here.text(), /rayonnage_up/);
  },
  'a large file reaches the service': async ({ connection, base, signedIn }) => {
    const answer = await connection.ask(
      `${base}/api/restauration`,
      { ...UPLOAD, ...signedIn },
      LARGE,
    );
    // The refusal comes from the service, after it has read the whole body.
    assert.match(String(answer.headers['content-type']), /json/);
    assert.ok(answer.status >= 400 && answer.status !== 413, String(answer.status));
  },
  'a proxy that starts again ends the stream, and is asked again': async (setup) => {
    const { connection, base, port, authority, signedIn } = setup;
    const stream = connection.listen(base + EVENTS_PATH, signedIn);
    await heard(stream, HEARTBEAT);
    const ended = once(stream, 'close');
    await setup.restart();
    await ended;
    const again = await Connection.open(port, authority.ca);
    assert.equal((await again.ask(`${base}/api/sante`, signedIn)).status, 200);
    again.close();
  },
};

const PROXIES = [...PORTALS, ...WITH_PASSWORDS, ...WITH_ACCOUNTS];

/** The paths of the application, and the proxy's way to handle each. */
const PLACES = [
  { name: 'at the root', base: '', strips: false },
  { name: 'below a path that is passed on', base: '/bibliotheque', strips: false },
  { name: 'below a path that is taken away', base: '/bibliotheque', strips: true },
];

async function outcome(check: Check, setup: Omit<Setup, 'connection'>): Promise<string | null> {
  const connection = await Connection.open(setup.port, setup.authority.ca);
  try {
    await check({ ...setup, connection });
    return null;
  } catch (error) {
    return String(error);
  } finally {
    connection.close();
  }
}

/** Starts a service with an empty library. */
const startService = ({ folder, servicePort, base }: Place, { signOn }: Proxy): Promise<Running> =>
  Running.start([process.execPath, SERVICE], servicePort, {
    PORT: String(servicePort),
    DATABASE_PATH: join(mkdtempSync(join(folder, 'house-')), 'bibliotheque.sqlite'),
    BASE_PATH: base,
    METRICS: 'oui',
    ACCOUNTS: signOn === 'accounts' ? 'oui' : 'non',
    LOG_LEVEL: 'silent',
  });

async function signIn(
  place: Place,
  { signOn }: Proxy,
  service: Running,
): Promise<OutgoingHttpHeaders> {
  if (signOn === 'portal') return { cookie: SESSION };
  return signOn === 'password' ? WITH_PASSWORD : becomeMember(place, service);
}

await exitOnError(async () => {
  const missing = PROXIES.filter(
    ({ command }) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0,
  );
  if (missing.length > 0)
    throw new Error(`Not there: ${missing.map(({ name }) => name).join(', ')}. On Debian:
  apt install --no-install-recommends nginx-light caddy apache2 haproxy openssl`);
  await buildIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-proxies-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const authority = createAuthority(folder);
  const signOnPort = await startSignOn();
  let failed = 0;
  for (const { name, base, strips } of PLACES)
    for (const proxy of PROXIES) {
      if (proxy.places?.includes(name) === false) continue;
      const [port, plainPort, servicePort] = [await freePort(), await freePort(), await freePort()];
      const place = { folder, authority, port, plainPort, servicePort, signOnPort, base, strips };
      const service = await startService(place, proxy);
      const start = () => Running.start(proxy.line(place), port, { HOME: folder });
      let running = await start();
      const restart = async () => {
        await running.stop();
        running = await start();
      };
      const signedIn = await signIn(place, proxy, service);
      for (const [what, check] of Object.entries(CHECKS)) {
        const reason = await outcome(check, { ...place, proxy, signedIn, restart });
        if (reason !== null) failed++;
        console.log(`${reason === null ? '✓' : '✗'} ${proxy.name}, ${name}: ${what}`);
        if (reason !== null) console.log(reason);
      }
      await running.stop();
      await service.stop();
    }
  if (failed > 0) throw new Error(`${failed} of them failed.`);
});
process.exit();
