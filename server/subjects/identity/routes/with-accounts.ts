import type { FastifyInstance } from 'fastify';
import { Refusal } from '#shared/refusals';

/** Mounts what exists where the service has accounts; without them it is told, and 404. */
export function withAccounts(
  app: FastifyInstance,
  { accounts }: { readonly accounts: boolean },
  mountAll: (scope: FastifyInstance) => void,
): void {
  void app.register(async (scope) => {
    scope.addHook('onRequest', (_request, _reply, next) => {
      next(accounts ? undefined : new Refusal('INTROUVABLE'));
    });
    mountAll(scope);
  });
}
