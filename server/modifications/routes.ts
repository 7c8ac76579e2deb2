import type { FastifyInstance } from 'fastify';
import * as modifications from '#shared/modifications';
import type { Records } from '#server/records/records';
import { mount } from '#server/http/mount';
import { annuler } from './domain/annulation.ts';
import { forgetOldModifications } from './domain/forgetting.ts';
import { listModifications } from '#server/writes/store/modifications';

const DAY_MS = 86_400_000;
const DEFAULT_LIMIT = 100;

export function modificationsRoutes(app: FastifyInstance, { records }: { records: Records }): void {
  const { database } = records;
  forgetOldModifications(database);
  const timer = setInterval(() => forgetOldModifications(database), DAY_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));

  mount(app, modifications.listerModifications, ({ query, utilisateur }) =>
    listModifications(database, utilisateur, {
      avant: query.avant,
      limite: query.limite ?? DEFAULT_LIMIT,
    }),
  );
  mount(app, modifications.annulerModification, ({ params, utilisateur }) =>
    annuler(records, params.id, utilisateur),
  );
}
