import type { FastifyInstance } from 'fastify';
import * as connexion from '#shared/connexion';
import type { Context } from '#server/start/context';
import { mount, mountPrepared } from '#server/plumbing/http/mount';
import type { Attempts } from '../domain/attempts.ts';
import { changeCode, changePassword, requireProof } from '../domain/own.ts';
import { hashPassword } from '../domain/passwords.ts';
import { endSession, sessionsShown } from '../domain/sessions.ts';
import { answerApart, deviceOf, sessionOf } from './guard.ts';
import { withAccounts } from './with-accounts.ts';

/** What a member changes of their own: password, code, sessions (docs/rules.md § 53). */
export function ownRoutes(
  app: FastifyInstance,
  { config, database }: Pick<Context, 'config' | 'database'>,
  attempts: Attempts,
): void {
  withAccounts(app, config, (scope) => {
    mountPrepared(scope, connexion.modifierMotDePasse, async (call) => {
      const session = sessionOf(call.request);
      const { membreId, id } = session;
      const { address } = deviceOf(call.request);
      await requireProof(database, attempts, session, { motDePasse: call.body.ancien, address });
      const motDePasse = await hashPassword(call.body.nouveau, address);
      return { write: (tx) => changePassword(tx, { membreId, motDePasse, exceptId: id }) };
    });

    mountPrepared(scope, connexion.modifierCode, async ({ request, body }) => {
      const { membreId } = sessionOf(request);
      const { address } = deviceOf(request);
      const code = body.code === null ? null : await hashPassword(body.code, address);
      return { write: (tx) => changeCode(tx, membreId, code) };
    });

    mount(scope, connexion.listerSessions, ({ request }) => {
      const { membreId, id } = sessionOf(request);
      return sessionsShown(database, membreId, id);
    });

    mount(scope, connexion.terminerSession, ({ tx, params, request }) => {
      const { membreId, id } = sessionOf(request);
      if (params.id === id) answerApart(request);
      endSession(tx, params.id, membreId);
    });
  });
}
