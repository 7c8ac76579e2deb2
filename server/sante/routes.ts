import type { FastifyInstance } from 'fastify';
import { Refusal } from '#shared/refusals';
import { lireSante } from '#shared/sante';
import type { Database } from '#server/database/database';
import { mount } from '#server/http/mount';

export function santeRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  mount(app, lireSante, ({ request }) => {
    try {
      database.verify();
      return { etat: 'ok' as const };
    } catch (error) {
      request.log.error(error);
      throw unhealthy(error);
    }
  });
}

/**
 * Why the database does not answer. A full disk keeps its own code, but its status is 503 here, which
 * is what a program that watches the service expects.
 */
function unhealthy(error: unknown): Refusal {
  const isFull = error instanceof Refusal && error.code === 'DISQUE_PLEIN';
  return isFull ? new Refusal('DISQUE_PLEIN').withStatus(503) : new Refusal('BASE_INJOIGNABLE');
}
