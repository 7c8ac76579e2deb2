import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext, type Context } from '#server/start/context';
import { exitOnError } from '../scripts/support/exit-on-error.ts';
import { buildIfStale } from '../scripts/support/build.ts';
import { fillHousehold } from './fill.ts';
import { coverKeeper } from './cover-keeper.ts';
import { RESIDENTS } from './household.ts';
import { knownCodes } from './upstream/codes.ts';
import { playUpstream } from './upstream/server.ts';

/** Runs a lived-in household for a look, whose database is deleted with the process. */
await exitOnError(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-demo-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await buildIfStale();
  process.env['HOST'] = '127.0.0.1';
  process.env['DATABASE_PATH'] = join(folder, 'bibliotheque.sqlite');
  process.env['COVERS_PATH'] = join(folder, 'couvertures');
  process.env['BACKUP_PATH'] ??= 'non';
  process.env['SIMULATED_USER'] = RESIDENTS[0];
  const upstream = await playUpstream();
  process.env['BNF_SRU_URL'] ??= upstream.bnfSruUrl;
  process.env['OPEN_LIBRARY_URL'] ??= upstream.openLibraryUrl;
  process.env['OPEN_LIBRARY_COVERS_URL'] ??= upstream.openLibraryUrl;
  const context = openContext(readConfig(process.env));
  const app = await createApp(context);
  await fillHousehold(await app.listen({ host: '127.0.0.1', port: 0 }), coverKeeper(context));
  await fetchCovers(context);
  await app.close();
  context.database.close();
  await import('#server/main');
  console.log(`Codes à essayer sans réseau : ${knownCodes().join(', ')}`);
});

/** Fetches the covers of all ISBNs, so that the first screen shows a whole shelf. */
async function fetchCovers({ covers: { fetcher } }: Context): Promise<void> {
  fetcher.start();
  while (fetcher.etat().attente > 0 || fetcher.running > 0) await delay(50);
}
