import type { FastifyInstance } from 'fastify';
import { modifierStatut as endpoint } from '#shared/statuts';
import type { Database } from '#server/database/database';
import { jourOf } from '#server/lectures/domain';
import { mount } from '#server/http/mount';
import { modifierStatut } from './domain.ts';

export function statutsRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  mount(app, endpoint, ({ utilisateur, params, body }) => {
    const livreId = params.id;
    modifierStatut(database, { utilisateur, livreId }, body.statut, jourOf(body.jour));
    return { livreId, statut: body.statut };
  });
}
