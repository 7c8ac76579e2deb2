import type { FastifyInstance } from 'fastify';
import { routes as auteurs } from '#server/subjects/auteurs/auteurs';
import { routes as bibliographie } from '#server/subjects/bibliographie';
import { routes as complements } from '#server/subjects/complements';
import { Refusal } from '#shared/refusals';
import type { Config } from '#server/config';
import type { Context } from '#server/start/context';
import { routes as couvertures } from '#server/subjects/couvertures/couvertures';
import {
  addDocumentation,
  langueOf,
  nomOf,
  routes as installation,
} from '#server/subjects/installation/installation';
import { routes as emplacements } from '#server/subjects/emplacements';
import { routes as exporter } from '#server/subjects/export';
import { routes as fusions } from '#server/subjects/fusions';
import { serveClient } from '#server/plumbing/http/client';
import { sendError, createFramework, addHooks } from '#server/plumbing/http/framework';
import { guardDoor, identityRoutes } from '#server/subjects/identity/door';
import { routes as importations } from '#server/subjects/importations/importations';
import { routes as lectures } from '#server/subjects/lectures';
import { routes as details } from '#server/subjects/livres/details';
import { routes as livres } from '#server/subjects/livres/livres';
import { routes as lots } from '#server/subjects/lots';
import { beginModification } from '#server/subjects/modifications/changesets';
import { routes as modifications } from '#server/subjects/modifications/modifications';
import { routes as listes } from '#server/subjects/partages/liste';
import { routes as partages } from '#server/subjects/partages/partages';
import { routes as objectifs } from '#server/subjects/objectifs';
import { routes as prets } from '#server/subjects/prets';
import { routes as recherche } from '#server/subjects/recherche';
import { routes as numeros } from '#server/subjects/revues/numeros';
import { routes as themes } from '#server/subjects/themes';
import { routes as revues } from '#server/subjects/revues/revues';
import { routes as sauvegardes } from '#server/subjects/sauvegardes';
import { routes as selections } from '#server/subjects/selections/selections';
import { routes as series } from '#server/subjects/series';
import { routes as souhaitsLot } from '#server/subjects/souhaits/lot';
import { routes as souhaitsRevues } from '#server/subjects/souhaits/revues';
import { routes as souhaits } from '#server/subjects/souhaits/souhaits';
import { syncRoutes } from '#server/plumbing/sync/replication';
import { Writes } from '#server/plumbing/writes/writes';

const modules = [
  installation,
  identityRoutes,
  livres,
  details,
  lectures,
  objectifs,
  prets,
  auteurs,
  emplacements,
  series,
  revues,
  numeros,
  themes,
  souhaits,
  souhaitsRevues,
  souhaitsLot,
  partages,
  listes,
  selections,
  bibliographie,
  // Closed in this order: these stop their background requests before `recherche` closes the catalogues.
  importations,
  complements,
  recherche,
  couvertures,
  exporter,
  sauvegardes,
  lots,
  fusions,
  modifications,
  syncRoutes,
];

/**
 * Serves the application while the database is damaged: devices show their replicas, and `/api` answers with the
 * reason.
 */
export async function createDamagedApp(config: Config): Promise<FastifyInstance> {
  const app = await createFramework(config);
  app.setErrorHandler(sendError);
  app.addHook('onRequest', (request, _reply, next) => {
    next(request.url.startsWith('/api/') ? new Refusal('BASE_ABIMEE') : undefined);
  });
  await serveClient(app, config.clientPath, config.basePath, () => config.libraryName);
  await app.ready();
  return app;
}

export async function createApp(context: Context): Promise<FastifyInstance> {
  const app = await createFramework(context.config);
  const { config, database, records, journal } = context;
  await addHooks(app, context, new Writes(records, journal, beginModification));
  await guardDoor(app, context);
  addDocumentation(app, config.basePath);
  for (const routes of modules) routes(app, context);
  await serveClient(
    app,
    config.clientPath,
    config.basePath,
    () => nomOf(database, config),
    ({ identity }) => langueOf(database, identity.utilisateur),
  );
  await app.ready();
  return app;
}
