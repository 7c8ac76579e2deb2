import type { FastifyInstance } from 'fastify';
import * as prets from '#shared/prets';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { presenterLivre } from '#server/livres/presentation';
import { histoire, preter, rendre } from './domain.ts';
import { pretsEnCours } from './store.ts';

export function pretsRoutes(app: FastifyInstance, context: Context): void {
  const { base } = context;
  mount(app, prets.preter, ({ params, body }) => preter(base, params.id, body.emprunteur));
  mount(app, prets.listerPretsDuLivre, ({ params }) => histoire(base, params.id));
  mount(app, prets.listerPretsEnCours, ({ utilisateur }) =>
    pretsEnCours(base).map((pret) => ({
      ...pret,
      livre: presenterLivre(context, utilisateur, pret.livreId),
    })),
  );
  mount(app, prets.rendre, ({ params }) => rendre(base, params.id));
}
