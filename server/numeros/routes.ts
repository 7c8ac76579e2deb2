import type { FastifyInstance } from 'fastify';
import * as numeros from '#shared/numeros';
import { Refusal } from '#shared/refusals';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { ajouter, modifier, supprimer } from './domain.ts';
import { tousLesThemes } from './store-themes.ts';

export function numerosRoutes(app: FastifyInstance, { base, kiosque }: Context): void {
  const lire = (id: number): numeros.Numero => {
    const numero = kiosque.numero(id);
    if (numero === undefined) throw new Refusal('INTROUVABLE');
    return numero;
  };

  mount(app, numeros.chercherNumeros, ({ query }) => kiosque.chercher(query));
  mount(app, numeros.listerNumerosDeLaRevue, ({ params }) => {
    if (kiosque.revue(params.id) === undefined) throw new Refusal('INTROUVABLE');
    return kiosque.numerosDe(params.id);
  });
  mount(app, numeros.ajouterNumero, ({ params, body, reply }) => {
    const id = ajouter(base, params.id, body);
    reply.header('Location', `/api/numeros/${id}`);
    return lire(id);
  });
  mount(app, numeros.lireNumero, ({ params }) => lire(params.id));
  mount(app, numeros.modifierNumero, ({ params, body }) => {
    modifier(base, params.id, body);
    return lire(params.id);
  });
  mount(app, numeros.supprimerNumero, ({ params }) => {
    supprimer(base, params.id);
    return undefined;
  });
  mount(app, numeros.listerThemes, () => tousLesThemes(base));
}
