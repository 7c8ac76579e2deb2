import type { FastifyInstance } from 'fastify';
import * as cles from '#shared/cles';
import type { Context } from '#server/start/context';
import { mount, mountPrepared } from '#server/plumbing/http/mount';
import type { Attempts } from '../domain/attempts.ts';
import { endCle, listCles, makeCle } from '../domain/cles.ts';
import { proved } from './prove.ts';

/** The keys of a person's scripts, whoever says who reads (docs/rules.md § 54). */
export function clesRoutes(
  app: FastifyInstance,
  { config, database }: Pick<Context, 'config' | 'database'>,
  { attempts }: { readonly attempts: Attempts },
): void {
  mount(app, cles.listerCles, ({ utilisateur }) => listCles(database, utilisateur));

  mountPrepared(app, cles.creerCle, async ({ request, utilisateur, body }) => {
    // Behind a sign-on nobody has a password here.
    if (config.accounts) await proved({ database, attempts }, request, body.motDePasse);
    return { write: (tx) => makeCle(tx, utilisateur, body) };
  });

  mount(app, cles.supprimerCle, ({ tx, utilisateur, params }) =>
    endCle(tx, params.id, utilisateur),
  );
}
