import type { FastifyInstance } from 'fastify';
import * as souhaitsRevues from '#shared/souhaits-revues';
import type { Reader } from '#server/plumbing/database/reader';
import { mount } from '#server/plumbing/http/mount';
import { acheterRevueSouhaitee, revueSouhaiteeList } from '../domain/revues.ts';
import { listHandlers } from './handlers.ts';

export function souhaitsRevuesRoutes(
  app: FastifyInstance,
  { database }: { database: Reader },
): void {
  const handlers = listHandlers(database, revueSouhaiteeList);
  mount(app, souhaitsRevues.listerRevuesSouhaitees, handlers.lister);
  mount(app, souhaitsRevues.ajouterRevueSouhaitee, handlers.ajouter);
  mount(app, souhaitsRevues.modifierRevueSouhaitee, handlers.modifier);
  mount(app, souhaitsRevues.supprimerRevueSouhaitee, handlers.supprimer);
  mount(app, souhaitsRevues.ordonnerRevuesSouhaitees, handlers.ordonner);
  mount(app, souhaitsRevues.acheterRevueSouhaitee, ({ tx, utilisateur, params, body }) =>
    acheterRevueSouhaitee(tx, { id: params.id, utilisateur }, body),
  );
}
