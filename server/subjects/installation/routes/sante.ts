import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#shared/refusals';
import { lireSante } from '#shared/sante';
import type { Config } from '#server/config';
import type { Covers } from '#server/subjects/couvertures/domain/covers';
import type { Database } from '#server/plumbing/database/database';
import { toRefusal } from '#server/plumbing/http/errors';
import { mount } from '#server/plumbing/http/mount';
import { THIS_MACHINE } from '#server/plumbing/http/proxies';
import { etatDuService, metricsOf } from '#server/subjects/installation/domain/sante';

interface SanteContext {
  readonly config: Config;
  readonly covers: Covers;
  readonly database: Database;
}

export function santeRoutes(app: FastifyInstance, context: SanteContext): void {
  const { database } = context;
  app.addHook('onError', (_request, _reply, error, next) => {
    if (toRefusal(error).code === 'BASE_ABIMEE') database.health.doubt();
    next();
  });

  mount(app, lireSante, ({ request }) => {
    try {
      database.verify();
    } catch (error) {
      request.log.error(error);
      throw unhealthy(error);
    }
    const asksHere = isDirect(request) && THIS_MACHINE.trusts(request.socket.remoteAddress);
    return { etat: 'ok', ...(asksHere && { service: etatDuService(context) }) } as const;
  });

  if (!context.config.metrics) return;
  app.get('/metrics', (request, reply) => {
    app.assert(isDirect(request), 404);
    const metrics = metricsOf(etatDuService(context), isWell(database));
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics);
  });
}

/** Not for a reader behind the proxy, who comes from this machine, too. */
const isDirect = ({ headers }: FastifyRequest): boolean =>
  ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'].every(
    (name) => headers[name] === undefined,
  );

function isWell(database: Database): boolean {
  try {
    database.verify();
    return true;
  } catch {
    return false;
  }
}

/**
 * What is wrong with the database. A full disk keeps its own code, but its status is 503 here, which
 * is what a program that watches the service expects.
 */
function unhealthy(error: unknown): Refusal {
  const { code } = toRefusal(error instanceof Error ? error : {});
  if (code === 'DISQUE_PLEIN') return new Refusal('DISQUE_PLEIN').with({ status: 503 });
  return new Refusal(
    code === 'BASE_EN_LECTURE_SEULE' || code === 'BASE_ABIMEE' ? code : 'BASE_INJOIGNABLE',
  );
}
