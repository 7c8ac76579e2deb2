import type { FastifyInstance } from 'fastify';
import * as membres from '#shared/membres';
import type { Context } from '#server/start/context';
import { formatArchive } from '#server/subjects/export/domain/archive';
import { formatFrom } from '#server/subjects/export/domain/stream';
import { attach } from '#server/plumbing/http/attachment';
import { mount } from '#server/plumbing/http/mount';
import { invite, listInvitations, withdrawInvitation } from '../domain/invitations.ts';
import {
  changeMembre,
  listesOf,
  listMembres,
  removeMembre,
  requireManager,
  whoseListes,
} from '../domain/membres.ts';
import { sessionOf } from './guard.ts';
import { withAccounts } from './with-accounts.ts';

/** The members of the house, and whom they invite (docs/rules.md § 53). */
export function membresRoutes(
  app: FastifyInstance,
  {
    config,
    covers,
    database,
    records,
  }: Pick<Context, 'config' | 'covers' | 'database' | 'records'>,
): void {
  withAccounts(app, config, (scope) => {
    mount(scope, membres.listerMembres, () => listMembres(database));

    mount(scope, membres.modifierMembre, ({ tx, params, body, request }) =>
      changeMembre(tx, sessionOf(request).membreId, params.id, body),
    );

    mount(scope, membres.supprimerMembre, ({ tx, params, request }) =>
      removeMembre(tx, sessionOf(request).membreId, params.id),
    );

    mount(scope, membres.lireListes, ({ params, request }) =>
      listesOf(database, sessionOf(request).membreId, params.id),
    );

    mount(scope, membres.exporterListes, ({ params, request, reply }) => {
      const utilisateur = whoseListes(database, sessionOf(request).membreId, params.id);
      attach(reply, membres.exporterListes.type, 'rayonnage.zip');
      const stream = formatFrom(database.openSnapshot(), (snapshot) =>
        formatArchive(snapshot, records, utilisateur, new Date(), (cle) =>
          covers.library.find(cle),
        ),
      );
      return reply.send(stream);
    });

    mount(scope, membres.listerInvitations, ({ request }) => {
      requireManager(database, sessionOf(request).membreId);
      return listInvitations(database);
    });

    mount(scope, membres.inviter, ({ tx, body, request }) => {
      requireManager(database, sessionOf(request).membreId);
      return invite(tx, body);
    });

    mount(scope, membres.retirerInvitation, ({ tx, params, request }) => {
      requireManager(database, sessionOf(request).membreId);
      withdrawInvitation(tx, params.id);
    });
  });
}
