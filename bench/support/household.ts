import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LivreDocument } from '#shared/livres';
import { auteursNommes } from '#server/auteurs/domain';
import { Base } from '#server/database/base';
import { lireSaisie } from '#server/livres/saisie';
import { ecrireAuteursDuLivre, insererLivre } from '#server/livres/store';
import { Server } from '../../test/e2e/support/server.ts';

/** A service in a process of its own, with these books; `end` removes all of it. */
export interface BenchHousehold {
  readonly server: Server;
  end(): Promise<void>;
}

/** Enters the books by the domain, all in one transaction, then starts the service on them. */
export async function householdOf(livres: readonly LivreDocument[]): Promise<BenchHousehold> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const path = join(folder, 'bibliotheque.sqlite');
  const base = Base.open(path);
  base.write(() => {
    for (const { titre, auteurs } of livres) {
      const { livre, noms } = lireSaisie({ titre, format: 'Physique', auteurs });
      const id = insererLivre(base, livre, null, '2026-01-01T00:00:00.000Z');
      ecrireAuteursDuLivre(base, id, auteursNommes(base, noms));
    }
  });
  base.close();
  const server = await Server.start(path);
  return {
    server,
    end: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
