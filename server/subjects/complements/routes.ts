import type { FastifyInstance } from 'fastify';
import * as complements from '#shared/complements';
import type { Config } from '#server/config';
import type { Database } from '#server/plumbing/database/database';
import { mount, mountLong } from '#server/plumbing/http/mount';
import { backgroundLookups, type LookupContext } from '#server/subjects/recherche/domain/lookups';
import { listerComplements } from './domain/complements.ts';
import { acceptation } from './domain/operations.ts';
import { Questions } from './domain/questions.ts';
import { askAboutAll, dismiss } from './store.ts';

interface ComplementsContext extends Pick<LookupContext, 'sources'> {
  readonly config: Config;
  readonly database: Database;
}

export function complementsRoutes(app: FastifyInstance, context: ComplementsContext): void {
  const { config, database, sources } = context;
  const lookups = backgroundLookups({ sources, coversSite: config.openLibraryCoversUrl });
  const questions = new Questions(database, lookups.ask, (error) => app.log.error(error));
  app.addHook('onReady', async () => questions.start());
  app.addHook('preClose', async () => questions.close());

  mount(app, complements.listerComplements, () => listerComplements(database));

  mountLong(app, acceptation);

  mount(app, complements.refuserComplements, ({ tx, body }) => ({
    livres: dismiss(tx, body.livres),
  }));

  mount(app, complements.rechercherComplements, ({ tx }) => ({ livres: askAboutAll(tx) }));
}
