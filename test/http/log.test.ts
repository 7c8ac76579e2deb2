// @module-tag process
import { expect, test } from 'vitest';
import { photograph } from '../couvertures/support/pictures.ts';
import { ServerProcess } from '../support/process.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly [name: string]: unknown;
}

const WARN = 40;

/** The service's log during some requests. */
async function logOf(
  requests: (url: string) => Promise<unknown>,
  level = 'info',
): Promise<readonly Line[]> {
  const server = new ServerProcess({
    LOG_LEVEL: level,
    BNF_SRU_URL: 'http://127.0.0.1:9/',
    OPEN_LIBRARY_URL: 'http://127.0.0.1:9/',
    OPEN_LIBRARY_COVERS_URL: 'http://127.0.0.1:9/',
  });
  await requests(await server.url());
  const { stderr } = await server.end('SIGTERM');
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', SSO_USER: 'alice', ...headers },
    body: JSON.stringify(body),
  });

test('a request’s line of the log holds no private word', async () => {
  const lines = await logOf(async (url) => {
    await post(`${url}/api/livres?confirmerDoublon=true`, { titre: 'Secret', format: 'Physique' });
    await fetch(`${url}/api/livres?recherche=secret`);
    await fetch(`${url}/api/livres/1`, { headers: { SSO_USER: 'alice' } });
    await fetch(`${url}/api/secret`);
    await post(`${url}/api/livres`, {}, { Origin: 'https://ailleurs.example' });
    await fetch(`${url}/api/bibliographie?auteur=Frank%20Herbert`);
  });
  expect(
    lines.flatMap(({ route, method, user, status }) =>
      route ? [[method, route, user, status]] : [],
    ),
  ).toEqual([
    ['POST', '/api/livres', 'alice', 201],
    ['GET', '/api/livres', null, 200],
    ['GET', '/api/livres/:id', 'alice', 200],
    ['GET', '/*', null, 404],
    ['POST', '/api/livres', 'alice', 403],
    ['GET', '/api/bibliographie', null, 502],
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/secret|recherche/i);
  // A write from another origin and silent catalogues are warnings without a stack. On a busy machine slow requests
  // are logged, too.
  const warnings = lines.filter(({ level, msg }) => level === WARN && msg !== 'Slow request');
  expect(warnings.map(({ msg, origin, code }) => [msg, origin ?? code])).toEqual([
    ['Refused a write of another origin', 'https://ailleurs.example'],
    [expect.any(String), 'SOURCE_INJOIGNABLE'],
  ]);
  expect(lines.every(({ level, stack }) => level <= WARN && stack === undefined)).toBe(true);
});

const put = (url: string, user: string, body?: object) =>
  fetch(url, {
    method: 'PUT',
    headers: { SSO_USER: user, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

test.each(['info', 'trace'])(
  'at %s no line of the log reveals who gives which wish',
  async (level) => {
    const lines = await logOf(async (url) => {
      await post(`${url}/api/souhaits`, { titre: 'Regain', auteur: 'Jean Giono' });
      await put(`${url}/api/moi/partage`, 'alice', { lectures: false, souhaits: true });
      for (const user of ['zoe', 'yves'])
        expect([200, 409]).toContain((await put(`${url}/api/souhaits/1/offre`, user)).status);
      await fetch(`${url}/api/moi/offres`, { headers: { SSO_USER: 'zoe' } });
    }, level);
    expect(JSON.stringify(lines)).toContain('alice');
    expect(JSON.stringify(lines)).not.toMatch(/zoe|yves|offre|Regain|Giono/);
  },
);

test('a client that hangs up while waiting is no error of the service', async () => {
  const body = new Uint8Array(await photograph());
  const lines = await logOf(async (url) => {
    await post(`${url}/api/livres`, { titre: 'Nadja', format: 'Physique' });
    const leaving = new AbortController();
    const asking = Array.from({ length: 6 }, () =>
      fetch(`${url}/api/livres/1/couverture`, {
        method: 'PUT',
        headers: { 'Content-Type': 'image/jpeg', SSO_USER: 'alice' },
        body,
        signal: leaving.signal,
      }),
    );
    await Promise.race(asking);
    leaving.abort();
    await Promise.allSettled(asking);
    await fetch(`${url}/api/sante`);
  });
  const ofCovers = lines.filter(({ route }) => route === '/api/livres/:id/couverture');
  expect(ofCovers.length).toBeGreaterThan(0);
  expect(lines.filter(({ level, msg }) => level >= WARN && msg !== 'Slow request')).toEqual([]);
});
