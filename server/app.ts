import type { FastifyInstance } from 'fastify';
import { auteursRoutes } from '#server/auteurs/routes';
import { bibliographieRoutes } from '#server/bibliographie/routes';
import { nomOf } from '#server/bibliotheque/domain';
import { bibliothequeRoutes } from '#server/bibliotheque/routes';
import { complementsRoutes } from '#server/complements/routes';
import { Refusal } from '#shared/refusals';
import type { Config } from '#server/config';
import type { Context } from '#server/context';
import { couverturesChoisiesRoutes } from '#server/couvertures/routes/choisies';
import { couverturesRoutes } from '#server/couvertures/routes/couvertures';
import { addDocumentation } from '#server/documentation/routes';
import { emplacementsRoutes } from '#server/emplacements/routes';
import { exportRoutes } from '#server/export/routes';
import { serveClient } from '#server/http/client';
import { sendError } from '#server/http/errors';
import { createFramework } from '#server/http/framework';
import { addHooks } from '#server/http/hooks';
import { guardDoor } from '#server/identity/routes/guard';
import { identityRoutes } from '#server/identity/routes/index';
import { importationsRoutes } from '#server/importations/routes';
import { lecturesRoutes } from '#server/lectures/routes';
import { livresRoutes } from '#server/livres/routes';
import { lotsRoutes } from '#server/lots/routes';
import { modificationsRoutes } from '#server/modifications/routes';
import { moiRoutes } from '#server/moi/routes';
import { pretsRoutes } from '#server/prets/routes';
import { rechercheRoutes } from '#server/recherche/routes';
import { resumeRoutes } from '#server/resume/routes';
import { numerosRoutes } from '#server/revues/routes/numeros';
import { revuesRoutes } from '#server/revues/routes/revues';
import { santeRoutes } from '#server/sante/routes';
import { sauvegardesRoutes } from '#server/sauvegardes/routes';
import { seriesRoutes } from '#server/series/routes';
import { souhaitsRevuesRoutes } from '#server/souhaits/routes/revues';
import { souhaitsRoutes } from '#server/souhaits/routes/souhaits';
import { syncRoutes } from '#server/sync/routes';
import { versionRoutes } from '#server/version/routes';
import { Writes } from '#server/writes/writes';

/** What the service does, one module for each subject. */
const modules = [
  santeRoutes,
  moiRoutes,
  identityRoutes,
  resumeRoutes,
  bibliothequeRoutes,
  versionRoutes,
  livresRoutes,
  lecturesRoutes,
  pretsRoutes,
  auteursRoutes,
  emplacementsRoutes,
  seriesRoutes,
  revuesRoutes,
  numerosRoutes,
  souhaitsRoutes,
  souhaitsRevuesRoutes,
  bibliographieRoutes,
  // Their questions in the background end before the catalogues are closed.
  importationsRoutes,
  complementsRoutes,
  rechercheRoutes,
  couverturesRoutes,
  couverturesChoisiesRoutes,
  exportRoutes,
  sauvegardesRoutes,
  lotsRoutes,
  modificationsRoutes,
  syncRoutes,
];

/**
 * The service while its database is damaged: the application's files, with which a device shows its copy, and
 * the reason in the place of every answer.
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

/** The whole service as one Fastify instance, ready to listen or to be asked. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const app = await createFramework(context.config);
  const { config, database, records, journal } = context;
  await addHooks(app, config, new Writes(records, journal));
  await guardDoor(app, context);
  addDocumentation(app, config.basePath);
  for (const routes of modules) routes(app, context);
  await serveClient(app, config.clientPath, config.basePath, () => nomOf(database, config));
  await app.ready();
  return app;
}
