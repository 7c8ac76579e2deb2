import type { FastifyInstance } from 'fastify';
import { changerStatut } from '#shared/statuts';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { changer } from './domain.ts';

export function statutsRoutes(app: FastifyInstance, { base }: Context): void {
  mount(app, changerStatut, ({ utilisateur, params, body }) => {
    changer(base, utilisateur, params.id, body.statut);
    return { livreId: params.id, statut: body.statut };
  });
}
