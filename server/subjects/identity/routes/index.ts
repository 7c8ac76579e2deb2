import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/start/context';
import { Attempts } from '../domain/attempts.ts';
import { Challenges } from '../domain/challenges.ts';
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
  const ceremony = { attempts, challenges: new Challenges() };
  connexionRoutes(app, context, ceremony);
  providerRoutes(app, context);
  invitationsRoutes(app, context, ceremony);
  ownRoutes(app, context, attempts);
  portraitsRoutes(app, context);
  clesAccesRoutes(app, context, ceremony);
  membresRoutes(app, context);
  clesRoutes(app, context);
}
