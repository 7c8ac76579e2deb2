// @module-tag process
import { execFile } from 'node:child_process';
import dns from 'node:dns';
import { createServer as createHttp, request, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { examine } from '../../scripts/doctor/examine.ts';
import type { Finding } from '../../scripts/doctor/finding.ts';
import { certificate } from '../support/certificate.ts';
import { builtClient } from '../support/client.ts';
import { built, COMPILED } from '../support/process.ts';
import { serve } from '../support/server.ts';

/** A proxy in front of the service with one fault, or a fault of the call. */
interface Fault {
  /** Responds in the service's place; returns false to forward the request. */
  readonly answers?: (path: string, outgoing: Parameters<RequestListener>[1]) => boolean;
  /** Request headers that the proxy removes. */
  readonly takes?: readonly string[];
  /** `X-Forwarded-*` values that differ from the truth. */
  readonly forwards?: Readonly<Record<string, string>>;
  /** Response headers that the proxy removes or replaces. */
  readonly says?: Readonly<Record<string, string>>;
  /** Buffers responses until they are complete. */
  readonly buffers?: boolean;
  readonly isPlain?: boolean;
  /** The certificate's validity. */
  readonly days?: number;
  /** The loopback address on which the proxy listens. */
  readonly host?: string;
  /** The configured base path. */
  readonly base?: string;
  /** The base path in the doctor's argument, with a slash at its end. */
  readonly path?: string;
  /** The host name in the doctor's argument, instead of the address. */
  readonly name?: string;
  /** Additional settings of the service. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The option `--utilisateur`. */
  readonly user?: string;
  /** The option `--cle`. */
  readonly key?: string;
  /** The headers in the settings that the doctor reads. */
  readonly headers?: readonly string[];
}

const IDENTITY = ['sso_user', 'sso_user_email', 'sso_user_fullname'];

/** A client whose page names its base path, as the built one does. */
function clientWithBase(): string {
  const client = builtClient();
  const script = '<script>{ x = { base: "" } }</script>';
  for (const page of ['shell.html', 'shell.en.html'].map((name) => join(client, name)))
    writeFileSync(page, readFileSync(page, 'utf8').replace('</head>', `${script}</head>`));
  return client;
}

/** The address of a household behind a faulty proxy, and its certificate's authority. */
async function houseWith(fault: Fault) {
  const client = clientWithBase();
  const { url } = await serve({ BASE_PATH: fault.base ?? '/', ...fault.settings }, client);
  const { origin } = new URL(url);
  const { certPath, keyPath, cert } = certificate(fault.days ?? 90);
  const takes = fault.takes ?? IDENTITY;
  const listener: RequestListener = (incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (fault.answers?.(path, outgoing) === true) return;
    const passed = Object.entries(incoming.headers).filter(([name]) => !takes.includes(name));
    const truth = {
      'x-forwarded-proto': fault.isPlain === true ? 'http' : 'https',
      'x-forwarded-for': '198.51.100.9',
    };
    const headers = { ...Object.fromEntries(passed), ...(fault.forwards ?? truth) };
    const onward = request(origin + path, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...fault.says });
      if (fault.buffers !== true)
        return void answer.pipe(outgoing.on('close', () => onward.destroy()));
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => outgoing.end(Buffer.concat(chunks)));
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  };
  const tls = { cert: readFileSync(certPath), key: readFileSync(keyPath) };
  const proxy = fault.isPlain === true ? createHttp(listener) : createHttps(tls, listener);
  const host = fault.host ?? '127.0.0.1';
  await new Promise<void>((resolve) => proxy.listen(0, host, resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  const scheme = fault.isPlain === true ? 'http' : 'https';
  return {
    base: new URL(`${scheme}://${fault.name ?? host}:${port}${fault.path ?? '/'}`),
    ca: cert,
  };
}

async function findings(fault: Fault, trusts = true) {
  const { base, ca } = await houseWith(fault);
  const all: Finding[] = [];
  const { user, key, headers } = fault;
  const place = { base, user, key, headers, ca: trusts ? ca : undefined };
  for await (const finding of examine(place)) all.push(finding);
  const of = (kind: string) =>
    all.filter((finding) => finding.kind === kind).map(({ sentence }) => sentence);
  return { wrong: of('wrong'), well: of('well'), notes: of('note') };
}

test('a healthy household has no findings', async () => {
  const { wrong, well } = await findings({});
  expect(wrong).toEqual([]);
  expect(well).toHaveLength(11);
});

test('plain HTTP on this machine is enough to try it', async () => {
  const { wrong, notes } = await findings({ isPlain: true });
  expect(wrong).toEqual([]);
  expect(notes).toContainEqual(expect.stringMatching(/sur cette machine seule/));
});

test('a service that only this machine reaches, without a proxy, has no fault', async () => {
  const { url } = await serve({}, clientWithBase());
  const all: Finding[] = [];
  for await (const finding of examine({ base: new URL(url) })) all.push(finding);
  const of = (kind: Finding['kind']) =>
    all.filter((finding) => finding.kind === kind).map(({ sentence }) => sentence);
  expect(of('wrong')).toEqual([]);
  expect(of('note')).toContain(
    'Le service prend toute requête venue de cette machine pour celle du proxy : cet examen n’a donc pas essayé ce qu’un visiteur peut falsifier. Relancez-le avec l’adresse que les visiteurs ouvrent.',
  );
});

test('a proxy that adds no header is reported', async () => {
  expect((await findings({ forwards: {} })).wrong).toEqual([
    'Le service ne sait pas que la page vient par HTTPS.',
    'L’adresse qu’un visiteur dit avoir arrive au service (« X-Forwarded-For »).',
  ]);
});

/** Responds to the matching requests, and forwards all others. */
const answersWhere =
  (
    isOne: (path: string, outgoing: Parameters<RequestListener>[1]) => boolean,
    status: number,
    headers: Record<string, string> = {},
  ): NonNullable<Fault['answers']> =>
  (path, outgoing) => {
    if (!isOne(path, outgoing)) return false;
    outgoing.writeHead(status, headers).end();
    return true;
  };

const answersPage = (
  status: number,
  headers: Record<string, string> = {},
  text = '<h1>Connexion</h1>',
) => ({
  answers: (_path: string, outgoing: Parameters<RequestListener>[1]) => {
    outgoing.writeHead(status, { 'content-type': 'text/html', ...headers });
    outgoing.end(text);
    return true;
  },
});

const answersJson = (of: string, status: number, body: object): Fault => ({
  answers: (path, outgoing) => {
    if (path !== of || outgoing.req.method !== 'GET') return false;
    outgoing.writeHead(status, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(body));
    return true;
  },
});

test.each<[string, Fault, RegExp]>([
  // A name that is not known to be local, although it leads to this machine.
  [
    'plain HTTP',
    { isPlain: true, name: '0.0.0.0', settings: { ALLOWED_HOSTS: '0.0.0.0' } },
    /^L’adresse est en HTTP, sans chiffrement/,
  ],
  ['a certificate of another name', { host: '127.0.0.2' }, /n’est pas au nom de 127\.0\.0\.2/],
  ['a header of a visitor', { takes: [] }, /^Les en-têtes SSO_USER, .* d’un visiteur arrivent/],
  ['a stream that is held back', { buffers: true }, /^Le flux d’événements n’arrive pas/],
  ['no compression', { takes: [...IDENTITY, 'accept-encoding'] }, /ne sont pas compressées/],
  [
    'a clock that is late behind a proxy that is not',
    answersJson('/api/connexion', 200, {
      venue: { https: true, adresse: '198.51.100.9', date: '2022-01-01T00:00:00.000Z' },
    }),
    /^L’horloge du serveur/,
  ],
  [
    'a host that is not passed on',
    { takes: [...IDENTITY, 'host'] },
    /^Toute écriture est refusée : le service ne sait pas sous quel hôte/,
  ],
  [
    'writes that a proxy refuses',
    { answers: answersWhere((_path, { req }) => req.method === 'POST', 405) },
    /^Les écritures n’arrivent pas au service \(405\)/,
  ],
  [
    'a host without ALLOWED_HOSTS',
    answersJson('/api/sante', 421, { code: 'HOTE_INCONNU' }),
    /^Le service ne connaît pas le nom 127\.0\.0\.1:\d+ \(421\)/,
  ],
  [
    'files of root',
    answersJson('/api/sante', 503, { code: 'BASE_EN_LECTURE_SEULE' }),
    /^Le service ne peut pas écrire sa base/,
  ],
  [
    'the other protocol',
    answersJson('/api/sante', 426, { code: 'HTTPS_ATTENDU' }),
    /^Ce port attend HTTPS/,
  ],
  ['another base', { base: '/maison' }, /^La page croit vivre à « \/maison\/ »/],
  [
    'the other protocol before a proxy',
    answersPage(400, {}, 'The plain HTTP request was sent to HTTPS port'),
    /^Ce port attend HTTPS/,
  ],
  ['something else', answersPage(200), /^Ce n’est pas Rayonnage qui répond/],
  ['no service', answersPage(502), /^Le proxy répond, le service derrière lui non \(502\)/],
  [
    'no service worker',
    {
      answers: answersWhere((path) => path === '/service-worker.js', 302, {
        location: '/connexion',
      }),
    },
    /service-worker\.js/,
  ],
  [
    'a path without its slash that is blank',
    { path: '/biblio/', base: '/biblio', answers: answersWhere((path) => path === '/biblio', 200) },
    /^L’adresse sans barre finale, \/biblio, ne mène pas/,
  ],
  [
    'a proxy that keeps less than the headers of the page',
    { answers: answersWhere((path) => path === '/', 502) },
    /^La page n’arrive pas \(502\)/,
  ],
  [
    'a proxy that reads less than the cookies of a sign-on',
    { answers: answersWhere((_path, { req }) => (req.headers.cookie?.length ?? 0) > 4096, 400) },
    /^Une demande dont les cookies prennent 6 ko est refusée \(400\)/,
  ],
])('the doctor finds %s, and nothing else', async (_what, fault, expected) => {
  const { wrong } = await findings(fault);
  expect(wrong).toEqual([expect.stringMatching(expected)]);
});

test('a certificate that ends soon is a fault by its own lifetime, and the rest is examined', async () => {
  const { well: fresh } = await findings({ days: 1 });
  expect(fresh).toContainEqual(
    expect.stringMatching(/certificat reconnu, valable encore 2[34]\sheures\.$/),
  );
  vi.useFakeTimers({ now: Date.now() + 85 * 86_400_000, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { wrong, well } = await findings({ days: 90 });
  expect(wrong).toEqual([
    expect.stringMatching(/^Le certificat n’est plus valable que [45]\sjours\.$/),
  ]);
  expect(well).toHaveLength(10);
});

test.each([
  ['nothing listens', 'http://127.0.0.1:1/', /^Rien n’écoute à ce port/],
  ['a name that leads nowhere', 'http://nulle-part.invalid/', /^Ce nom ne mène nulle part/],
])('the doctor gives advice about %s', async (_what, address, expected) => {
  const whys: (string | undefined)[] = [];
  for await (const { why } of examine({ base: new URL(address) })) whys.push(why);
  expect(whys.at(-1)).toMatch(expected);
});

test('the doctor gives advice about HTTPS in front of plain HTTP', async () => {
  const { base } = await houseWith({ isPlain: true });
  const whys: (string | undefined)[] = [];
  for await (const { why } of examine({ base: new URL(`https://${base.host}/`) })) whys.push(why);
  expect(whys.at(-1)).toMatch(/l’autre protocole/);
});

test.each([
  ['nginx.conf', /proxy_set_header X-Forwarded-For \$remote_addr;/, /X-Forwarded-Proto \$scheme;/],
  [
    'apache.conf',
    /RequestHeader unset X-Forwarded-For$/m,
    /RequestHeader set X-Forwarded-Proto https$/m,
  ],
  ['haproxy.cfg', /set-header X-Forwarded-For %\[src\]/, /set-header X-Forwarded-Proto https$/m],
])('%s says itself where a request comes from', (name, ...lines) => {
  const text = readFileSync(join('deploy', name), 'utf8');
  for (const line of atLeastOne(lines)) expect(text).toMatch(line);
  expect(text).toMatch(/Strict-Transport-Security max-age=31536000/);
});

test('a wrong clock of the proxy alone is no fault', async () => {
  const says = { date: 'Sat, 01 Jan 2022 00:00:00 GMT' };
  expect((await findings({ says })).wrong).toEqual([]);
});

test('the doctor finds an authority that this machine does not know', async () => {
  const { wrong } = await findings({}, false);
  expect(wrong).toEqual([expect.stringMatching(/autorité que cette machine ne connaît pas/)]);
});

test.each([
  ['another host', 302, { location: 'https://sso.example/login' }, '302 vers sso.example'],
  ['this host', 302, { location: '/login?x' }, '302 vers /login du même hôte'],
  ['no place', 401, {}, '401'],
])('the doctor reports a sign-on that leads to %s', async (_where, status, headers, habit) => {
  const { wrong, notes } = await findings(answersPage(status, headers));
  expect(wrong).toEqual([]);
  expect(notes.join()).toContain(`Une connexion unique garde l’entrée : ${habit}.`);
});

test('checks a service behind a password that a proxy asks', async () => {
  const door = { 'www-authenticate': 'Basic realm="Rayonnage"' };
  const credentials = `Basic ${Buffer.from('camille:secret').toString('base64')}`;
  const answers = answersWhere(
    (_path, { req }) => req.headers.authorization !== credentials,
    401,
    door,
  );
  expect((await findings({ answers })).notes.join()).toContain('--utilisateur « nom:motdepasse »');
  expect((await findings({ answers, user: 'camille:wrong' })).wrong).toEqual([
    'Le proxy refuse ce nom ou ce mot de passe.',
  ]);
  const { wrong, well } = await findings({ answers, user: 'camille:secret' });
  expect(wrong).toEqual([]);
  expect(well).toHaveLength(11);
});

test('below a path it checks the address without slash too', async () => {
  const answers = answersWhere((path) => path === '/biblio', 308, { location: '/biblio/' });
  const { wrong, well } = await findings({ path: '/biblio/', base: '/biblio', answers });
  expect(wrong).toEqual([]);
  expect(well.join()).toContain('sans barre finale mène aussi');
});

const OAUTH2 = {
  headers: ['x-auth-request-email', 'x-auth-request-user', 'x-auth-request-preferred-username'],
  settings: { SSO_HEADER_USER: 'X-Auth-Request-Email' },
};

test('the doctor finds a header that only the settings name', async () => {
  const own = { settings: { SSO_HEADER_USER: 'X-La-Maison' } };
  const headers = ['x-la-maison', 'sso_user_email'];
  expect((await findings({ ...own, headers })).wrong).toEqual([
    expect.stringMatching(/^L’en-tête X-La-Maison d’un visiteur arrive/),
  ]);
  expect((await findings(OAUTH2)).wrong).toEqual([
    expect.stringMatching(/^L’en-tête X-Auth-Request-Email d’un visiteur arrive/),
  ]);
});

test.each([
  ['Remote_User', 'Remote-User'],
  ['SSO-USER', 'SSO_USER'],
])('the doctor finds a proxy that takes %s for another spelling', async (read, removed) => {
  const settings = { SSO_HEADER_USER: read };
  const { wrong } = await findings({ settings, takes: [removed.toLowerCase()] });
  expect(wrong).toEqual([
    expect.stringMatching(/^L(?:’en-tête|es en-têtes) .* d’un visiteur arrive/),
  ]);
});

test.each([
  ['a sign-on leads elsewhere', answersPage(302, { location: 'https://sso.example/' })],
  ['a sign-on refuses', answersPage(401)],
  ['a page of its own is answered', answersPage(200)],
])('the doctor proves nothing about headers if %s', async (_, fault) => {
  const { well, notes } = await findings({ ...OAUTH2, ...fault });
  expect(notes.join()).toContain('Non examiné : si un visiteur peut se faire passer');
  expect(well.join()).not.toContain('se fait passer');
  expect(well.join()).not.toContain('fait passer');
});

test('the doctor says that a key is unknown, not that the service is unwell', async () => {
  const { wrong } = await findings({ key: 'ray_inconnue', settings: { ACCOUNTS: 'oui' } });
  expect(wrong).toEqual(['Le service ne connaît pas cette clé.']);
});

test('a key does not hide the effect of a header', async () => {
  const { wrong } = await findings({ ...OAUTH2, takes: [], key: 'ray_inconnue' });
  expect(wrong.join()).toContain('X-Auth-Request-Email');
});

const THREE = ['SSO_USER', 'SSO_USER_EMAIL', 'SSO_USER_FULLNAME'];
const namesIn = (text: string, pattern: RegExp) =>
  [...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name))].sort();

test.each([
  ['Caddyfile', /request_header -(\S+)/g],
  ['Caddyfile-path', /request_header -(\S+)/g],
  ['container/caddy/Caddyfile', /request_header -(\S+)/g],
  ['container/authelia/Caddyfile', /request_header -(\S+)/g],
  ['container/households/Caddyfile', /request_header -(\S+)/g],
  ['nginx.conf', /proxy_set_header (SSO\S+)/g],
  ['apache.conf', /RequestHeader (?:set|unset) (SSO\S+)/g],
  ['haproxy.cfg', /(?:set|del)-header (SSO\S+)/g],
])('%s takes a visitor exactly the headers that are read', (name, pattern) => {
  expect(namesIn(readFileSync(join('deploy', name), 'utf8'), pattern)).toEqual(THREE);
});

test.each(['traefik.md', 'authentik.md'])('%s names the headers that it has read', (name) => {
  const text = readFileSync(join('docs/running', name), 'utf8');
  const read = namesIn(text, /^SSO_HEADER_\w+=(\S+)$/gm);
  const replaced = Array.from(
    text.matchAll(/authResponseHeaders: \[([^\]]+)\]/g),
    ([, list = '']) => list.split(', '),
  );
  expect([...new Set(replaced.flat())].sort()).toEqual(read);
});

/** `localhost` must resolve to this machine, even without /etc/hosts. */
const { lookup } = dns;
beforeAll(() => {
  Object.assign(dns, {
    lookup: (name: string, ...rest: unknown[]): unknown =>
      Reflect.apply(lookup, dns, [name === 'localhost' ? '127.0.0.1' : name, ...rest]),
  });
});
afterAll(() => {
  Object.assign(dns, { lookup });
});

const ACCOUNTS = { ACCOUNTS: 'oui' };
const LOCALHOST = { name: 'localhost', settings: ACCOUNTS };

test('with accounts the doctor reports where passkeys work, or why not', async () => {
  const root = await findings(LOCALHOST);
  expect(root.wrong).toEqual([]);
  expect(root.well).toContainEqual('Les clés d’accès iront ici, pour localhost.');
  expect(root.notes.slice(1)).toEqual([
    'Pour connaître la version et examiner le flux d’événements, donnez une clé de « Mon compte » par --cle.',
  ]);
  const below = await findings({ ...LOCALHOST, base: '/biblio', path: '/biblio/' });
  expect(below.well).toContainEqual(
    'Les clés d’accès iront ici, pour localhost ; elles valent pour l’hôte entier, et non pour ce chemin.',
  );
  const address = await findings({ settings: ACCOUNTS });
  expect(address.notes).toContainEqual(expect.stringContaining('Les clés d’accès n’iront pas ici'));
  expect(address.wrong).toEqual([]);
  const hidden = await findings({ ...LOCALHOST, takes: [...IDENTITY, 'host'] });
  expect(hidden.wrong).toContainEqual(expect.stringContaining('ne sait pas sous quel hôte'));
  const swallowed = await findings({
    ...LOCALHOST,
    answers: answersWhere((path) => path.endsWith('/defi'), 405),
  });
  expect(swallowed.wrong).toContainEqual(expect.stringContaining('n’arrive pas (405)'));
});

test('an English operator reads the command in English', async () => {
  const { url } = await serve({}, builtClient());
  const env = { ...COMPILED, LANG: 'en_GB.UTF-8', DATABASE_PATH: '/nowhere/library.sqlite' };
  const said = await new Promise<string>((resolve) =>
    execFile(process.execPath, [built('doctor'), url], { env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    ),
  );
  expect(said).toContain('· The address is HTTP, on this machine alone: enough to try it here');
  expect(said).toContain('✓ The service answers, and its database takes writes.\n');
  expect(said).toMatch(/\nTo put right: \d+\.\n$/);
  expect(said).not.toMatch(/[«»éèàêç]|\b(?:le|la|les|est|pas)\b/u);
});
