import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext } from '#server/context';
import { attempt } from '../scripts/support/attempt.ts';
import { buildIfStale } from '../scripts/support/build.ts';
import { fillHousehold } from './fill.ts';
import { HABITANTS } from './maison.ts';
import { codesConnus } from './upstream/codes.ts';
import { jouerAmont } from './upstream/serveur.ts';

/** A lived-in household to look at, whose database goes with the process. */
await attempt(async () => {
  await buildIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-demo-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env['HOST'] = '127.0.0.1';
  process.env['DATABASE_PATH'] = join(folder, 'bibliotheque.sqlite');
  process.env['SIMULATED_USER'] = HABITANTS[0];
  const amont = await jouerAmont();
  process.env['BNF_SRU_URL'] ??= amont.bnfSruUrl;
  process.env['OPEN_LIBRARY_URL'] ??= amont.openLibraryUrl;
  process.env['OPEN_LIBRARY_COVERS_URL'] ??= amont.openLibraryUrl;
  const context = openContext(readConfig(process.env));
  const app = await createApp(context);
  await fillHousehold(await app.listen({ host: '127.0.0.1', port: 0 }));
  await app.close();
  context.base.close();
  await import('#server/main');
  console.log(`Codes à essayer sans réseau : ${codesConnus().join(', ')}`);
});
