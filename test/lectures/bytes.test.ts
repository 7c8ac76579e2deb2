// @module-tag process
import { expect, test } from 'vitest';
import { EVENTS_PATH } from '#shared/replication';
import { unzip } from '../export/support.ts';
import { goodreads } from '../importations/samples.ts';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/process.ts';
import { signedIn } from '../support/sign-on.ts';

/** Ana's private texts, in any encoding, which must be in no other reader's bytes. */
const SECRETS = /inavouable|indicible|ailleurs|2019-03-1|"note":9|Lectures?\b[^"]*: Sido/;

/** A service that logs everything, and one reader's requests. */
async function openHouse() {
  const server = new ServerProcess({ LOG_LEVEL: 'trace' });
  const url = await server.url();
  const as = (who: string) => async (method: string, path: string, body?: object | string) => {
    const type: Record<string, string> =
      typeof body === 'object' ? { 'Content-Type': 'application/json' } : {};
    const response = await fetch(url + path, {
      method,
      headers: { ...signedIn(who), ...type },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  };
  return { server, url, as };
}

type Ask = ReturnType<Awaited<ReturnType<typeof openHouse>>['as']>;

/** Ana's reading in every way: notes, edits, gives up, imports, deletes and undoes. */
async function readAsAna(ana: Ask): Promise<void> {
  const post = async (path: string, body: object | string) => {
    const { status, bytes } = await ana('POST', path, body);
    expect(status, bytes.toString()).toBeLessThan(300);
  };
  const noted = { fin: '2019-03-12', note: 9, avis: 'inavouable' };
  await post('/api/lectures', { livreId: 1, ...noted });
  await post('/api/lectures', { livreId: 2, ...noted });
  await post('/api/lectures', { titre: 'Lu ailleurs', ...noted });
  await ana('PUT', '/api/lectures/1', { livreId: 1, ...noted, avis: 'indicible' });
  await ana('PUT', '/api/livres/1/statut', { statut: 1, jour: '2019-03-13' });
  await ana('PUT', '/api/livres/1/statut', { statut: 2, jour: '2019-03-14' });
  const lot = { ids: [1, 2], action: 'statut', statut: 1, jour: '2019-03-15' };
  await ana('POST', '/api/livres/lot', lot);
  const row = { Title: 'Nadja', 'My Rating': '4.5', 'Date Read': '2019/03/16' };
  await post('/api/importations?essai=false', goodreads({ ...row, 'My Review': 'inavouable' }));
  await post('/api/importations', goodreads({ ...row, 'My Review': 'indicible' }));
  await ana('GET', '/api/lectures?annee=2019');
  const { headers } = await ana('DELETE', '/api/lectures/3');
  await post(`/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`, {});
  expect((await ana('POST', '/api/lectures', { avis: 'inavouable' })).status).toBe(400);
}

/** Collects the bytes of a reader's event stream. */
function listen(url: string, who: string): () => string {
  let received = '';
  const decoder = new TextDecoder();
  void fetch(url + EVENTS_PATH, { headers: signedIn(who) })
    .then(async ({ body }) => {
      for await (const chunk of body ?? []) received += decoder.decode(chunk, { stream: true });
    })
    // The service is stopped before the stream ends.
    .catch(() => undefined);
  return () => received;
}

/** Every readable address of the API document; with ids, those of the first few records. */
async function readable(ask: Ask): Promise<string[]> {
  const { bytes } = await ask('GET', '/api/documentation/json');
  const { paths } = JSON.parse(bytes.toString()) as { paths: Record<string, object> };
  return Object.entries(paths)
    .filter(([path, operations]) => 'get' in operations && path !== EVENTS_PATH)
    .flatMap(([path]) =>
      path.includes('{')
        ? Array.from({ length: 12 }, (_, n) => path.replaceAll(/\{\w+\}/g, String(n + 1)))
        : [path],
    );
}

const MORE = [
  '/api/replication?limite=5000&modifications=true',
  '/api/modifications?limite=1000',
  '/api/livres?tri=note',
  '/api/livres?tri=fin',
];

test('no byte sent to another reader reveals a reading', async () => {
  const { server, url, as } = await openHouse();
  const [ana, bob] = [as('ana'), as('bob')];
  const received = listen(url, 'bob');
  await eventually(received).not.toBe('');
  for (const titre of ['Dune', 'Sido'])
    await ana('POST', '/api/livres', { titre, format: 'Physique' });
  await readAsAna(ana);
  const deletion = await bob('DELETE', '/api/livres/2');
  await bob(
    'POST',
    `/api/modifications/${deletion.headers.get('X-Modification') ?? ''}/annulation`,
  );

  const answers = new Map<string, string>();
  for (const path of [...(await readable(bob)), ...MORE])
    answers.set(path, (await bob('GET', path)).bytes.toString());
  const { bytes } = await bob('GET', '/api/export.zip');
  for (const [name, content] of await unzip(bytes)) answers.set(`zip: ${name}`, content);
  expect(answers.size).toBeGreaterThan(100);
  for (const [path, text] of answers) expect(text, path).not.toMatch(SECRETS);
  const restored = JSON.parse(answers.get('zip: rayonnage.json') ?? '') as object;
  expect(restored).toMatchObject({ counts: { lectures: 0 } });
  // Ana herself gets her texts at these addresses.
  for (const path of ['/api/lectures', '/api/replication?limite=5000', '/api/export/livres.csv'])
    expect((await ana('GET', path)).bytes.toString(), path).toMatch(SECRETS);

  expect(received()).toContain('event: revision');
  expect(received()).not.toMatch(SECRETS);
  const { stdout, stderr } = await server.end('SIGTERM');
  expect(stdout + stderr).toContain('/api/lectures');
  expect(stdout + stderr).not.toMatch(SECRETS);
});
