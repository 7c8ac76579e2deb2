import type { FastifyInstance } from 'fastify';
import * as connexion from '#shared/connexion';
import { champRefusal } from '#shared/refusals';
import type { Context } from '#server/start/context';
import { mount, mountPrepared } from '#server/plumbing/http/mount';
import { creationOptions, readCreated } from '../domain/ceremonies.ts';
import type { Challenges, Purpose } from '../domain/challenges.ts';
import { addCleAcces, passkeysOf } from '../domain/cles-acces.ts';
import { memberIdentity } from '../domain/credentials.ts';
import { acceptInvitation, readInvitation, whoArrives } from '../domain/invitations.ts';
import { hashPassword } from '../domain/passwords.ts';
import { openSession } from '../domain/sessions.ts';
import { hashOf } from '../domain/tokens.ts';
import { answerApart, deviceOf, setSession } from './guard.ts';
import { requireSite } from './site.ts';
import { withAccounts } from './with-accounts.ts';

const purposeOf = (jeton: string): Purpose => `invitation ${hashOf(jeton).toString('hex')}`;

/** What becomes of an invitation: whoever opens it chooses a password or a passkey (docs/rules.md § 53). */
export function invitationsRoutes(
  app: FastifyInstance,
  { config, database }: Pick<Context, 'config' | 'database'>,
  { challenges }: { readonly challenges: Challenges },
): void {
  withAccounts(app, config, (scope) => {
    mount(scope, connexion.lireInvitation, ({ body }) => {
      const { nom, identifiant, membreId } = readInvitation(database, body.jeton);
      return { nom, identifiant, estMembre: membreId !== null };
    });

    mount(scope, connexion.demanderCleArrivee, ({ body, request }) => {
      const { membreId, ...membre } = whoArrives(database, body.jeton, body);
      return creationOptions(challenges, {
        ...{ site: requireSite(request), purpose: purposeOf(body.jeton) },
        ...{ libraryName: config.libraryName, membre },
        known: membreId === null ? [] : passkeysOf(database, membreId),
        replaces: true,
      });
    });

    mountPrepared(scope, connexion.accepterInvitation, async (call) => {
      const { jeton, motDePasse: password = null, cleAcces, ...saisi } = call.body;
      const device = deviceOf(call.request);
      readInvitation(database, jeton);
      if (password === null && cleAcces === undefined) throw champRefusal('motDePasse', 'manque');
      const asked = { purpose: purposeOf(jeton) };
      const made =
        cleAcces &&
        (await readCreated(challenges, { ...asked, site: requireSite(call.request) }, cleAcces));
      const motDePasse = password === null ? null : await hashPassword(password, device.address);
      return {
        write: (tx) => {
          answerApart(call.request);
          const membre = acceptInvitation(tx, jeton, { ...saisi, motDePasse });
          if (made) addCleAcces(tx, membre.id, { made, nom: device.appareil });
          setSession(config.basePath, call.request, call.reply, openSession(tx, membre, device));
          return memberIdentity(membre);
        },
      };
    });
  });
}
