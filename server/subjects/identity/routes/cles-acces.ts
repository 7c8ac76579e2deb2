import type { FastifyInstance } from 'fastify';
import * as clesAcces from '#shared/cles-acces';
import type { Context } from '#server/start/context';
import { mount, mountPrepared } from '#server/plumbing/http/mount';
import type { Attempts } from '../domain/attempts.ts';
import { creationOptions, readCreated } from '../domain/ceremonies.ts';
import type { Challenges } from '../domain/challenges.ts';
import {
  addCleAcces,
  listClesAcces,
  passkeysOf,
  removeOwn,
  renameOwn,
} from '../domain/cles-acces.ts';
import { requireProof } from '../domain/own.ts';
import { deviceOf, sessionOf } from './guard.ts';
import { requireSite } from './site.ts';
import { withAccounts } from './with-accounts.ts';

/** The passkeys of a member (docs/rules.md § 53). */
export function clesAccesRoutes(
  app: FastifyInstance,
  { config, database }: Pick<Context, 'config' | 'database'>,
  { attempts, challenges }: { readonly attempts: Attempts; readonly challenges: Challenges },
): void {
  withAccounts(app, config, (scope) => {
    mount(scope, clesAcces.listerClesAcces, ({ request }) =>
      listClesAcces(database, sessionOf(request).membreId),
    );

    mountPrepared(scope, clesAcces.demanderCleAcces, async ({ request, body }) => {
      const site = requireSite(request);
      const session = sessionOf(request);
      const { address } = deviceOf(request);
      await requireProof(database, attempts, session, { motDePasse: body.motDePasse, address });
      const options = creationOptions(challenges, {
        ...{ site, purpose: `session ${session.id}`, libraryName: config.libraryName },
        ...{ membre: session, known: passkeysOf(database, session.membreId), replaces: false },
      });
      return { write: () => options };
    });

    mountPrepared(scope, clesAcces.ajouterCleAcces, async ({ request, body }) => {
      const { id, membreId } = sessionOf(request);
      const asked = { site: requireSite(request), purpose: `session ${id}` as const };
      const made = await readCreated(challenges, asked, body.cleAcces);
      return { write: (tx) => addCleAcces(tx, membreId, { made, nom: body.nom }) };
    });

    mount(scope, clesAcces.modifierCleAcces, ({ tx, request, params, body }) =>
      renameOwn(tx, params.id, { membreId: sessionOf(request).membreId, nom: body.nom }),
    );

    mount(scope, clesAcces.supprimerCleAcces, ({ tx, request, params }) =>
      removeOwn(tx, params.id, sessionOf(request).membreId),
    );
  });
}
