import type { FastifyInstance } from 'fastify';
import * as cles from '#shared/cles';
import type { Context } from '#server/start/context';
import { mount } from '#server/plumbing/http/mount';
import { endCle, listCles, makeCle } from '../domain/cles.ts';

/** The keys of a person's scripts, whoever says who reads (docs/rules.md § 54). */
export function clesRoutes(app: FastifyInstance, { database }: Pick<Context, 'database'>): void {
  mount(app, cles.listerCles, ({ utilisateur }) => listCles(database, utilisateur));

  mount(app, cles.creerCle, ({ tx, utilisateur, body }) => makeCle(tx, utilisateur, body));

  mount(app, cles.supprimerCle, ({ tx, utilisateur, params }) =>
    endCle(tx, params.id, utilisateur),
  );
}
