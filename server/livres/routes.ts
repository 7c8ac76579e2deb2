import type { FastifyInstance } from 'fastify';
import * as livres from '#shared/livres';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { ajouter, modifier, supprimer } from './domain.ts';
import { presenter, presenterLivre } from './presentation.ts';
import { lireSaisie } from './saisie.ts';

export function livresRoutes(app: FastifyInstance, context: Context): void {
  const { base, catalogue } = context;

  mount(app, livres.listerLivres, ({ query, utilisateur, reply }) => {
    const statuts = catalogue.statutsDe(utilisateur);
    const trouves = catalogue.page(query, statuts);
    reply.header('X-Total-Count', trouves.total);
    return trouves.livres.map((livre) => presenter(context, livre, statuts));
  });

  mount(app, livres.lireLivre, ({ params, utilisateur }) =>
    presenterLivre(context, utilisateur, params.id),
  );

  mount(app, livres.ajouterLivre, ({ query, body, utilisateur, reply }) => {
    const confirme = query.confirmerDoublon === true || body.confirmerDoublon === true;
    const id = ajouter(context, lireSaisie(body), confirme, utilisateur);
    reply.header('Location', `/api/livres/${id}`);
    return presenterLivre(context, utilisateur, id);
  });

  mount(app, livres.modifierLivre, ({ params, body, utilisateur }) => {
    modifier(base, params.id, lireSaisie(body));
    return presenterLivre(context, utilisateur, params.id);
  });

  mount(app, livres.supprimerLivre, ({ params }) => {
    supprimer(base, params.id);
    return undefined;
  });
}
