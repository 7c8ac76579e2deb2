/**
 * Runs inside the namespace: starts its name server and web sites, opens a household whose covers have the addresses
 * of all cases, requests each from the relay, and prints the results.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext } from '#server/start/context';
import { SWITCHING, IMAGES, REFUSED_URLS, WITHOUT_IMAGE } from '../cases.ts';
import type { Outcome, RelayAnswer } from './namespace.ts';
import { serveNames } from './names.ts';
import { serveSites } from './sites.ts';

const UNKNOWN_URL = 'http://images.test/inconnue';

const folder = mkdtempSync(join(tmpdir(), 'rayonnage-namespace-'));
await serveNames();
const { visits, breakIns } = await serveSites();
const config = readConfig({
  DATABASE_PATH: join(folder, 'bibliotheque.sqlite'),
  LOG_LEVEL: 'silent',
  UPSTREAM_TIMEOUT_MS: '1500',
});
const context = openContext(config);
const app = await createApp(context);
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

context.database.write((tx) => {
  for (const url of new Set([
    ...REFUSED_URLS,
    ...WITHOUT_IMAGE,
    ...Object.keys(IMAGES),
    ...SWITCHING,
  ])) {
    tx.prepare<[string]>(
      `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, coverUrl, dateAjout)
         VALUES ('x', 'x', 'x', 'Physique', ?, '2026-01-01T00:00:00.000Z')`,
    ).run(url);
  }
});

const askRelay = (url: string, utilisateur?: string) =>
  ask(`?url=${encodeURIComponent(url)}`, utilisateur);

async function ask(query: string, utilisateur = 'lea'): Promise<RelayAnswer> {
  const answer = await fetch(`http://127.0.0.1:${String(port)}/api/couvertures${query}`, {
    headers: { SSO_USER: utilisateur, Cookie: 'session=1', Referer: 'http://maison.test/livres/1' },
  });
  const payload = Buffer.from(await answer.arrayBuffer());
  const { date: _, ...headers } = Object.fromEntries(answer.headers);
  const text = payload.length < 1000 ? payload.toString('latin1') : '';
  return { status: answer.status, headers, length: payload.length, payload: text };
}

/** In turn, so that results can be attributed. */
async function askEach(urls: readonly string[]): Promise<Record<string, RelayAnswer>> {
  const answers: Record<string, RelayAnswer> = {};
  for (const url of urls) answers[url] = await askRelay(url);
  return answers;
}

/** Requests twice as many slow covers as one person may at a time, then a fast one. */
async function askInLine(): Promise<Outcome['inLine']> {
  const slow = Array.from({ length: 12 }, () => askRelay('http://images.test/muet'));
  const behind = askRelay('http://images.test/late');
  const ofAnother = await Promise.race([
    askRelay('http://images.test/png', 'bob'),
    ...slow.map(async (answer) => answer),
  ]);
  await Promise.all(slow);
  return { behind: (await behind).status, ofAnother: ofAnother.status };
}

const outcome: Outcome = {
  images: await askEach(Object.keys(IMAGES)),
  refused: await askEach(REFUSED_URLS),
  withoutImage: await askEach(WITHOUT_IMAGE),
  switching: [await askEach(SWITCHING), await askEach(SWITCHING)],
  unknownUrls: {
    'an unknown address': await askRelay(UNKNOWN_URL),
    'an unknown address of a known site': await askRelay('http://images.test/png?'),
    'no address': await ask(''),
    'an empty address': await ask('?url='),
    'two addresses': await ask('?url=http://images.test/png&url=http://images.test/png'),
    'an address that cannot be read': await ask('?url=%E9'),
    'a NUL': await ask('?url=http://images.test/png%00'),
    'a list': await ask('?url[]=http://images.test/png'),
  },
  inLine: await askInLine(),
  visits,
  breakIns,
};
writeFileSync(process.argv[2] ?? '/dev/stdout', JSON.stringify(outcome));
rmSync(folder, { recursive: true });
process.exit(0);
