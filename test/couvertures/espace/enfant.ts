/**
 * Runs inside the namespace: serves its names and its sites, opens a house whose books have every
 * address of the cases as a cover, asks its relay for each, and writes what came back.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext } from '#server/context';
import { BASCULES, IMAGES, INTERDITS, SANS_IMAGE } from '../cas.ts';
import type { Compte, Reponse } from './espace.ts';
import { servirNoms } from './noms.ts';
import { servirSites } from './sites.ts';

const INCONNUE = 'http://images.test/inconnue';

const dossier = mkdtempSync(join(tmpdir(), 'rayonnage-espace-'));
await servirNoms();
const { visites, effractions } = await servirSites();
const config = readConfig({
  DATABASE_PATH: join(dossier, 'bibliotheque.sqlite'),
  LOG_LEVEL: 'silent',
  UPSTREAM_TIMEOUT_MS: '1500',
});
const context = openContext(config);
const app = await createApp(context);
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

context.base.write(() => {
  for (const url of new Set([...INTERDITS, ...SANS_IMAGE, ...Object.keys(IMAGES), ...BASCULES])) {
    context.base
      .prepare<[string]>(
        `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, coverUrl, dateAjout)
         VALUES ('x', 'x', 'x', 'Physique', ?, '2026-01-01T00:00:00.000Z')`,
      )
      .run(url);
  }
});

const relayer = (url: string) => demander(`?url=${encodeURIComponent(url)}`);

async function demander(query: string): Promise<Reponse> {
  const reponse = await fetch(`http://127.0.0.1:${String(port)}/api/couvertures${query}`, {
    headers: { SSO_USER: 'lea', Cookie: 'session=1', Referer: 'http://maison.test/livres/1' },
  });
  const corps = Buffer.from(await reponse.arrayBuffer());
  const { date: _, ...entetes } = Object.fromEntries(reponse.headers);
  const texte = corps.length < 1000 ? corps.toString('latin1') : '';
  return { status: reponse.status, entetes, longueur: corps.length, corps: texte };
}

/** One after the other: what waits for a slow one would be refused for being late. */
async function parUrl(urls: readonly string[]): Promise<Record<string, Reponse>> {
  const reponses: Record<string, Reponse> = {};
  for (const url of urls) reponses[url] = await relayer(url);
  return reponses;
}

const compte: Compte = {
  images: await parUrl(Object.keys(IMAGES)),
  interdits: await parUrl(INTERDITS),
  sansImage: await parUrl(SANS_IMAGE),
  bascules: [await parUrl(BASCULES), await parUrl(BASCULES)],
  inconnues: {
    'an unknown address': await relayer(INCONNUE),
    'an unknown address of a known site': await relayer('http://images.test/png?'),
    'no address': await demander(''),
    'an empty address': await demander('?url='),
    'two addresses': await demander('?url=http://images.test/png&url=http://images.test/png'),
    'an address that cannot be read': await demander('?url=%E9'),
    'a NUL': await demander('?url=http://images.test/png%00'),
    'a list': await demander('?url[]=http://images.test/png'),
  },
  visites,
  effractions,
};
writeFileSync(process.argv[2] ?? '/dev/stdout', JSON.stringify(compte));
rmSync(dossier, { recursive: true });
process.exit(0);
