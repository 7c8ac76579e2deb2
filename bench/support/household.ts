import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LivreDocument } from '#shared/livres';
import { Database } from '#server/database/database';
import { ajouterLivre } from '#server/livres/domain/livres';
import { Server } from '../../test/e2e/support/server.ts';

/** A service in a process of its own, with these books; `end` removes all of it. */
interface BenchHousehold {
  readonly server: Server;
  end(): Promise<void>;
}

/** Enters books by the domain, all in one transaction. */
export function enterLivres(database: Database, livres: readonly LivreDocument[]): void {
  database.write(() => {
    for (const { titre, auteurs } of livres)
      ajouterLivre(
        database,
        { titre, format: 'Physique', auteurs },
        { confirmed: true, utilisateur: null },
      );
  });
}

/**
 * Starts a service on a database of these books.
 *
 * @param prepare adds to the database and to its folder before the service starts
 */
export async function householdOf(
  livres: readonly LivreDocument[],
  prepare?: (database: Database, folder: string) => Promise<void>,
): Promise<BenchHousehold> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const path = join(folder, 'bibliotheque.sqlite');
  const database = Database.open(path);
  enterLivres(database, livres);
  await prepare?.(database, folder);
  database.close();
  const server = await Server.start(path);
  return {
    server,
    end: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
