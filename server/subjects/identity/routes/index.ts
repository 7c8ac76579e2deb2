import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/start/context';
import { everyDay } from '#server/plumbing/database/daily';
import { Attempts } from '../domain/attempts.ts';
import { Challenges } from '../domain/challenges.ts';
import { forgetDepartures } from '../domain/membres.ts';
import { departsBefore, keepListsOfDeparts } from '../store/provider.ts';
import { openProvider } from '../domain/provider-fetch.ts';
import { ProviderSignIn } from '../domain/provider.ts';
import { clesAccesRoutes } from './cles-acces.ts';
import { clesRoutes } from './cles.ts';
import { connexionRoutes } from './connexion.ts';
import { invitationsRoutes } from './invitations.ts';
import { membresRoutes } from './membres.ts';
import { ownRoutes } from './own.ts';
import { portraitsRoutes } from './portraits.ts';
import { providerRoutes } from './provider.ts';

/** Who reads, where the service says it itself, and the keys of scripts (docs/rules.md § 53, 54). */
export function identityRoutes(app: FastifyInstance, context: Context): void {
  // Whoever guesses is slowed down wherever a password is asked for.
  const attempts = new Attempts();
  const { accounts, provider, upstreamTimeout } = context.config;
  app.addHook(
    'onClose',
    everyDay(() => tendDepartures(context, accounts), { startsNow: true }),
  );
  const connections = openProvider(upstreamTimeout);
  app.addHook('onClose', () => connections.destroy());
  const signIn = provider && new ProviderSignIn(provider, connections);
  const ceremony = { attempts, challenges: new Challenges(), signIn };
  connexionRoutes(app, context, ceremony);
  providerRoutes(app, context, ceremony);
  invitationsRoutes(app, context, ceremony);
  ownRoutes(app, context, attempts);
  portraitsRoutes(app, context);
  clesAccesRoutes(app, context, ceremony);
  membresRoutes(app, context);
  clesRoutes(app, context, ceremony);
}

function tendDepartures({ database, records }: Context, hasAccounts: boolean): void {
  if (database.isReadOnly || departsBefore(database, Infinity).length === 0) return;
  database.write((tx) =>
    hasAccounts ? forgetDepartures(records.within(tx)) : keepListsOfDeparts(tx),
  );
}
