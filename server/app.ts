import type { FastifyInstance } from 'fastify';
import { auteursRoutes } from '#server/auteurs/routes';
import { bibliographieRoutes } from '#server/bibliographie/routes';
import type { Context } from '#server/context';
import { couverturesRoutes } from '#server/couvertures/routes';
import { addDocumentation } from '#server/documentation/routes';
import { serveClient } from '#server/http/client';
import { createFramework } from '#server/http/framework';
import { addHooks } from '#server/http/hooks';
import { livresRoutes } from '#server/livres/routes';
import { moiRoutes } from '#server/moi/routes';
import { numerosRoutes } from '#server/numeros/routes';
import { pretsRoutes } from '#server/prets/routes';
import { rechercheRoutes } from '#server/recherche/routes';
import { revuesRoutes } from '#server/revues/routes';
import { santeRoutes } from '#server/sante/routes';
import { seriesRoutes } from '#server/series/routes';
import { souhaitsRevuesRoutes } from '#server/souhaits-revues/routes';
import { souhaitsRoutes } from '#server/souhaits/routes';
import { statutsRoutes } from '#server/statuts/routes';
import { syncRoutes } from '#server/sync/routes';
import { versionRoutes } from '#server/version/routes';

/** What the service does, a module a subject. */
const modules = [
  santeRoutes,
  moiRoutes,
  versionRoutes,
  livresRoutes,
  statutsRoutes,
  pretsRoutes,
  auteursRoutes,
  seriesRoutes,
  revuesRoutes,
  numerosRoutes,
  souhaitsRoutes,
  souhaitsRevuesRoutes,
  bibliographieRoutes,
  rechercheRoutes,
  couverturesRoutes,
  syncRoutes,
];

/** The whole service as one Fastify instance, ready to listen or to be asked. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const app = createFramework(context.config);
  addHooks(app, context);
  await addDocumentation(app);
  for (const routes of modules) routes(app, context);
  await serveClient(app, context.config.clientPath);
  await app.ready();
  return app;
}
