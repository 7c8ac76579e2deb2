import type { FastifyInstance } from 'fastify';
import * as modifications from '#shared/modifications';
import { everyDay } from '#server/database/daily';
import type { Records } from '#server/records/records';
import { mount } from '#server/http/mount';
import { annuler } from './domain/annulation.ts';
import { forgetOldModifications } from './domain/forgetting.ts';
import { listModifications } from '#server/writes/store/modifications';

const DEFAULT_LIMIT = 100;

export function modificationsRoutes(app: FastifyInstance, { records }: { records: Records }): void {
  const { database } = records;
  forgetOldModifications(database);
  const endTimer = everyDay(() => forgetOldModifications(database));
  app.addHook('onClose', async () => endTimer());

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
