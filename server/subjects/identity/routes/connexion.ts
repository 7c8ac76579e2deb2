import type { FastifyInstance } from 'fastify';
import * as connexion from '#shared/connexion';
import type { Context } from '#server/start/context';
import type { Database } from '#server/plumbing/database/database';
import { UNKNOWN } from '#server/plumbing/http/identity';
import { mount, mountPrepared, type Exchange } from '#server/plumbing/http/mount';
import type { Attempts } from '../domain/attempts.ts';
import { signatureOptions } from '../domain/ceremonies.ts';
import type { Challenges } from '../domain/challenges.ts';
import { memberOfSigned, requireSigned } from '../domain/cles-acces.ts';
import { memberIdentity } from '../domain/credentials.ts';
import {
  changeReader,
  Codes,
  endSession,
  openSession,
  requireMembre,
  sessionOn,
  visagesOn,
} from '../domain/sessions.ts';
import { answerApart, clearSession, deviceOf, sessionOf, setSession } from './guard.ts';
import { requireSite } from './site.ts';
import { withAccounts } from './with-accounts.ts';

interface Ceremony {
  readonly attempts: Attempts;
  readonly challenges: Challenges;
}

/** Signing in and out, and who of a device's members reads (docs/rules.md § 53). */
export function connexionRoutes(
  app: FastifyInstance,
  { config, database }: Pick<Context, 'config' | 'database'>,
  ceremony: Ceremony,
): void {
  const { attempts } = ceremony;
  const codes = new Codes();
  const give = ({ request, reply }: Exchange, token: string): void => {
    setSession(config.basePath, request, reply, token);
  };

  mount(app, connexion.lireConnexion, ({ request }) => ({
    comptes: config.accounts,
    fournisseur: config.provider?.nom ?? null,
    visages: config.accounts ? visagesOn(database, deviceOf(request)) : [],
  }));

  withAccounts(app, config, (scope) => {
    mountPrepared(scope, connexion.seConnecter, async (call) => {
      const device = deviceOf(call.request);
      const membre = await requireMembre(database, attempts, call.body, device.address);
      return {
        write: (tx) => {
          answerApart(call.request);
          give(call, openSession(tx, membre, device));
          return memberIdentity(membre);
        },
      };
    });

    mount(scope, connexion.seDeconnecter, ({ tx, request, reply }) => {
      const { id, membreId } = sessionOf(request);
      answerApart(request);
      endSession(tx, id, membreId);
      if (visagesOn(database, deviceOf(request)).length === 0) clearSession(config.basePath, reply);
    });

    mountPrepared(scope, connexion.changerLecteur, async (call) => {
      const { membreId, code } = call.body;
      const device = deviceOf(call.request);
      const row = membreId === null ? null : sessionOn(database, device, membreId);
      if (row !== null) await codes.require(database, row, code ?? '', device.address);
      return {
        write: (tx) => {
          answerApart(call.request);
          give(call, changeReader(tx, device, row));
          return row === null ? UNKNOWN : memberIdentity(row);
        },
      };
    });

    signatureRoutes(scope, { database, ceremony, give });
  });
}

/** Signing in by a passkey. */
function signatureRoutes(
  scope: FastifyInstance,
  {
    database,
    ceremony,
    give,
  }: {
    readonly database: Database;
    readonly ceremony: Ceremony;
    readonly give: (exchange: Exchange, token: string) => void;
  },
): void {
  mount(scope, connexion.demanderSignature, ({ request }) =>
    signatureOptions(ceremony.challenges, requireSite(request)),
  );

  mountPrepared(scope, connexion.seConnecterParCle, async (call) => {
    const device = deviceOf(call.request);
    const given = { site: requireSite(call.request), signature: call.body.signature };
    const signed = await requireSigned(database, ceremony, given, device.address);
    return {
      write: (tx) => {
        answerApart(call.request);
        const membre = memberOfSigned(tx, signed);
        give(call, openSession(tx, membre, device));
        return memberIdentity(membre);
      },
    };
  });
}
