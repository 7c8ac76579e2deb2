import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright';
import { LivreDocument } from '#shared/livres';
import { objectKeys } from '#shared/object-keys';
import { DEFAULT_LIMIT } from '#shared/replication';
import { Server } from '../../test/e2e/support/server.ts';
import { findBrowser } from '../../test/support/browser.ts';
import { householdOf } from '../support/household.ts';
import { openCatalogue, pageScript, phone } from '../support/page.ts';
import { print, told } from '../support/report.ts';
import type {} from '../support/page-peers.ts';
import { pathOf } from './packages.ts';

const ROUNDS = 3;

/** A first copy of the same books in the same browser: ours with its screen, and what others need without one. */
export async function benchFirstCopy(livres: readonly LivreDocument[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const file = join(folder, 'livres.json');
  writeFileSync(file, JSON.stringify(livres));
  const household = await householdOf(livres);
  const pouch = await Server.run(['bench/peers/pouchdb-server.ts', file], {});
  const browser = await chromium.launch(await findBrowser());
  const pouchPackage = join(dirname(pathOf('pouchdb-browser')), 'index.es.js');
  const script = await pageScript('peers', { 'pouchdb-browser': pouchPackage });
  const { url } = household.server;
  const times: Record<'ours' | 'rxdb' | 'pouchdb', number[]> = { ours: [], rxdb: [], pouchdb: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const context = await phone(browser);
    const { complete } = await openCatalogue(await context.newPage(), url, livres.length);
    times.ours.push(complete);
    // A page of the service may ask it for nothing: its policy is the application's alone.
    const others = await browser.newContext({ bypassCSP: true });
    const rxdb = await pageOf(others, `${url}/api/sante`, script);
    const fields = objectKeys(LivreDocument.properties);
    const size = [livres.length, DEFAULT_LIMIT] as const;
    times.rxdb.push(
      await rxdb.evaluate(([all, of]) => peers.pullByRxDb(all, ...of), [fields, size] as const),
    );
    const pouchdb = await pageOf(others, pouch.url, script);
    times.pouchdb.push(await pouchdb.evaluate((of) => peers.pullByPouchDb(...of), size));
    await others.close();
    await context.close();
  }
  await browser.close();
  await pouch.stop();
  await household.end();
  rmSync(folder, { recursive: true });
  print(`A first copy of ${String(livres.length)} books, beside others`, [
    told('ours, from the address to the whole list on the screen', times.ours, 'ms'),
    told('RxDB as it comes, from the same service', times.rxdb, 'ms'),
    told('PouchDB, from a PouchDB server', times.pouchdb, 'ms'),
  ]);
}

async function pageOf(context: BrowserContext, url: string, script: string) {
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(script);
  return page;
}
