import type { FastifyInstance } from 'fastify';
import * as modifications from '#shared/modifications';
import { found } from '#shared/refusals';
import type { Database } from '#server/plumbing/database/database';
import { everyDay } from '#server/plumbing/database/daily';
import type { Records } from '#server/plumbing/records/records';
import { mount, mountLong } from '#server/plumbing/http/mount';
import { forgetOldModifications } from './domain/forgetting.ts';
import { annulation } from './domain/operation.ts';
import { listModifications, readModification } from '#server/plumbing/writes/store/modifications';

const DEFAULT_LIMIT = 100;

export function modificationsRoutes(
  app: FastifyInstance,
  { records }: { records: Records<Database> },
): void {
  const { database } = records;
  const startsNow = !database.isReadOnly;
  const endTimer = everyDay(() => forgetOldModifications(database), { startsNow });
  app.addHook('onClose', async () => endTimer());

  mount(app, modifications.listerModifications, ({ query, utilisateur }) =>
    listModifications(database, utilisateur, {
      avant: query.avant,
      limite: query.limite ?? DEFAULT_LIMIT,
    }),
  );
  mount(app, modifications.lireModification, ({ params, utilisateur }) =>
    found(readModification(database, params.id, utilisateur)),
  );
  mountLong(app, annulation);
}
