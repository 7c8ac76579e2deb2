import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext } from '#server/start/context';
import type { LivreDocument } from '#shared/livres';
import { Database } from '#server/plumbing/database/database';
import { ajouterLivre } from '#server/subjects/livres/livres';
import { Server } from '../../test/e2e/support/server.ts';
import { insertLivres } from './plain-insert.ts';

export interface BenchHousehold {
  readonly server: Server;
  readonly startedInMs: number;
  end(): Promise<void>;
}

/** Adds books by the domain's functions, in one transaction. */
export function enterLivres(database: Database, livres: readonly LivreDocument[]): void {
  database.write((tx) => {
    for (const { titre, auteurs, details } of livres)
      ajouterLivre(
        tx,
        { titre, format: 'Physique', auteurs, details },
        { confirmed: true, utilisateur: null },
      );
  });
}

/** Databases filled once, since several parts begin with the same books. */
const entered = new Map<readonly LivreDocument[], string>();

export function enterInto(path: string, livres: readonly LivreDocument[]): void {
  const known = entered.get(livres);
  if (known !== undefined) {
    copyFileSync(known, path);
    return;
  }
  const database = Database.open(path);
  enterLivres(database, livres);
  database.close();
  const kept = join(mkdtempSync(join(tmpdir(), 'rayonnage-bench-')), 'entered.sqlite');
  copyFileSync(path, kept);
  entered.set(livres, kept);
  process.on('exit', () => rmSync(join(kept, '..'), { recursive: true, force: true }));
}

/**
 * Starts a service on a database with these books.
 *
 * @param prepare changes the database and its folder before the service starts
 */
export function householdOf(
  livres: readonly LivreDocument[],
  prepare?: (database: Database, folder: string) => Promise<void>,
): Promise<BenchHousehold> {
  return householdIn(async (path, folder) => {
    enterInto(path, livres);
    if (prepare === undefined) return;
    const database = Database.open(path);
    await prepare(database, folder);
    database.close();
  });
}

/** Runs work beside a service in this process with an empty database. */
export async function besideService(
  settings: Readonly<Record<string, string>>,
  work: (url: string, database: Database) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const path = join(folder, 'bibliotheque.sqlite');
  const context = openContext(
    readConfig({ DATABASE_PATH: path, LOG_LEVEL: 'silent', ...settings }),
  );
  const app = await createApp(context);
  try {
    await work(await app.listen({ host: '127.0.0.1', port: 0 }), context.database);
  } finally {
    await app.close();
    context.database.close();
    rmSync(folder, { recursive: true });
  }
}

/** The same, with books inserted without any rule: a hundred thousand in seconds. */
export const plainHouseholdOf = (
  livres: readonly LivreDocument[],
  prepare: (database: Database) => void = () => undefined,
): Promise<BenchHousehold> =>
  householdIn((path) => {
    const database = Database.open(path);
    insertLivres(database, livres);
    prepare(database);
    database.close();
  });

async function householdIn(
  make: (path: string, folder: string) => void | Promise<void>,
): Promise<BenchHousehold> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const path = join(folder, 'bibliotheque.sqlite');
  await make(path, folder);
  // The first start updates all records, as after an upgrade.
  const serve = () => Server.start(path);
  await (await serve()).stop();
  const begin = performance.now();
  const server = await serve();
  const startedInMs = performance.now() - begin;
  return {
    server,
    startedInMs,
    end: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
