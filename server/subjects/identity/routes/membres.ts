import type { FastifyInstance } from 'fastify';
import * as membres from '#shared/membres';
import type { Context } from '#server/start/context';
import { mount } from '#server/plumbing/http/mount';
import { invite, listInvitations, withdrawInvitation } from '../domain/invitations.ts';
import { changeMembre, listMembres, removeMembre, requireManager } from '../domain/membres.ts';
import { sessionOf } from './guard.ts';
import { withAccounts } from './with-accounts.ts';

/** The members of the house, and whom they invite (docs/rules.md § 53). */
export function membresRoutes(
  app: FastifyInstance,
  { config, database }: Pick<Context, 'config' | 'database'>,
): void {
  withAccounts(app, config, (scope) => {
    mount(scope, membres.listerMembres, () => listMembres(database));

    mount(scope, membres.modifierMembre, ({ tx, params, body, request }) =>
      changeMembre(tx, sessionOf(request).membreId, params.id, body),
    );

    mount(scope, membres.supprimerMembre, ({ tx, params, request }) =>
      removeMembre(tx, sessionOf(request).membreId, params.id),
    );

    mount(scope, membres.listerInvitations, ({ request }) => {
      requireManager(database, sessionOf(request).membreId);
      return listInvitations(database);
    });

    mount(scope, membres.inviter, ({ tx, body, request }) => {
      const { membreId: inviteParId } = sessionOf(request);
      requireManager(database, inviteParId);
      return invite(tx, { ...body, inviteParId });
    });

    mount(scope, membres.retirerInvitation, ({ tx, params, request }) => {
      requireManager(database, sessionOf(request).membreId);
      withdrawInvitation(tx, params.id);
    });
  });
}
