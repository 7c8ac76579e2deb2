import type { FastifyInstance } from 'fastify';
import { Refusal } from '#shared/refusals';
import * as revues from '#shared/revues';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { modifier, supprimer, trouverOuCreer } from './domain.ts';

export function revuesRoutes(app: FastifyInstance, { base, kiosque }: Context): void {
  const lire = (id: number): revues.Revue => {
    const revue = kiosque.revue(id);
    if (revue === undefined) throw new Refusal('INTROUVABLE');
    return revue;
  };

  mount(app, revues.listerRevues, () => kiosque.revues);
  mount(app, revues.lireRevue, ({ params }) => lire(params.id));
  mount(app, revues.trouverOuCreerRevue, ({ body, reply }) => {
    const { id, cree } = trouverOuCreer(base, body);
    if (cree) reply.code(201);
    reply.header('Location', `/api/revues/${id}`);
    return lire(id);
  });
  mount(app, revues.modifierRevue, ({ params, body }) => {
    modifier(base, params.id, body);
    return lire(params.id);
  });
  mount(app, revues.supprimerRevue, ({ params }) => {
    supprimer(base, params.id);
    return undefined;
  });
}
