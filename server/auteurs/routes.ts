import type { FastifyInstance } from 'fastify';
import * as auteurs from '#shared/auteurs';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { fusionnerAuteurs, refuserFusion, renommer, suggestions } from './domain.ts';
import { tousLesAuteurs } from './store.ts';

export function auteursRoutes(app: FastifyInstance, { base }: Context): void {
  mount(app, auteurs.listerAuteurs, () => tousLesAuteurs(base));
  mount(app, auteurs.renommerAuteur, ({ params, body }) => renommer(base, params.id, body.nom));
  mount(app, auteurs.suggererFusions, () => suggestions(base));
  mount(app, auteurs.fusionnerAuteurs, ({ body }) => fusionnerAuteurs(base, body.auteurs));
  mount(app, auteurs.refuserFusion, ({ body }) => {
    refuserFusion(base, body.auteurs);
    return undefined;
  });
}
