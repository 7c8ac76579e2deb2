import type { FastifyInstance } from 'fastify';
import { listerAuteurs, renommerAuteur } from '#shared/auteurs';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { renommer } from './domain.ts';
import { tousLesAuteurs } from './store.ts';

export function auteursRoutes(app: FastifyInstance, { base }: Context): void {
  mount(app, listerAuteurs, () => tousLesAuteurs(base));
  mount(app, renommerAuteur, ({ params, body }) => renommer(base, params.id, body.nom));
}
