import type { FastifyInstance } from 'fastify';
import { modifierStatut as endpoint } from '#shared/statuts';
import type { Database } from '#server/database/database';
import { mount } from '#server/http/mount';
import { modifierStatut } from './domain.ts';

export function statutsRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  mount(app, endpoint, ({ utilisateur, params, body }) => {
    modifierStatut(database, utilisateur, params.id, body.statut);
    return { livreId: params.id, statut: body.statut };
  });
}
