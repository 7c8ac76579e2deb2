import type { FastifyInstance } from 'fastify';
import * as modifications from '#shared/modifications';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { annuler } from './domain/annulation.ts';
import { forgetOldModifications } from './domain/forgetting.ts';
import { listModifications } from './store/modifications.ts';

const DAY_MS = 86_400_000;
const DEFAULT_LIMIT = 100;

export function modificationsRoutes(app: FastifyInstance, { database, records }: Context): void {
  forgetOldModifications(database);
  const timer = setInterval(() => forgetOldModifications(database), DAY_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));

  mount(app, modifications.listerModifications, ({ query, utilisateur }) =>
    listModifications(database, utilisateur, {
      avant: query.avant,
      limite: query.limite ?? DEFAULT_LIMIT,
    }),
  );
  mount(app, modifications.annulerModification, ({ params, utilisateur, reply }) => {
    const modification = annuler(records, params.id, utilisateur);
    reply.header('X-Modification', modification.id);
    return modification;
  });
}
