import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context';
import { Attempts } from '../domain/attempts.ts';
import { clesRoutes } from './cles.ts';
import { connexionRoutes } from './connexion.ts';
import { membresRoutes } from './membres.ts';
import { ownRoutes } from './own.ts';

/** Who reads, where the service says it itself, and the keys of scripts (docs/rules.md § 53, 54). */
export function identityRoutes(app: FastifyInstance, context: Context): void {
  // Whoever guesses is slowed down wherever a password is asked for.
  const attempts = new Attempts();
  connexionRoutes(app, context, attempts);
  ownRoutes(app, context, attempts);
  membresRoutes(app, context);
  clesRoutes(app, context);
}
