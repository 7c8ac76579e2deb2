import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { isRefusal } from '#server/plumbing/common/error-body';

declare module 'fastify' {
  interface FastifyRequest {
    /** When its body was there, in milliseconds of the process; 0 before. */
    begunMs: number;
  }
  interface FastifyReply {
    /** How long the service took for it, in milliseconds. */
    tookMs: number;
  }
}

/** A request that takes the service longer is told as slow, in milliseconds. */
const SLOW_MS = 1000;

/**
 * One line a request: who, what, how it ended and how long the service took; the time of a slow line is not
 * its own. The route stands for the address, whose path and query may name books and people.
 */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('begunMs', 0);
  app.decorateReply('tookMs', 0);
  app.addHook('preValidation', (request, _reply, next) => {
    request.begunMs = performance.now();
    next();
  });
  app.addHook('onSend', ({ begunMs }, reply, payload, next) => {
    if (begunMs > 0) reply.tookMs = Math.round(performance.now() - begunMs);
    next(null, payload);
  });
  app.addHook('onResponse', (request, reply, next) => {
    const line = { ...told(request), status: reply.statusCode, ms: reply.tookMs };
    if (reply.tookMs > SLOW_MS) request.log.warn(line, 'Slow request');
    else request.log.info(line, 'Request');
    next();
  });
}

const told = ({ method, routeOptions, identity }: FastifyRequest) => ({
  user: identity.utilisateur,
  method,
  route: routeOptions.url ?? 'unknown',
});

/**
 * Logs why a request has failed on our side: a refusal that the service foresees, such as a catalogue that does
 * not answer, in a line; anything else with its stack.
 */
export function logFailure(log: FastifyBaseLogger, error: unknown): void {
  if (isRefusal(error) && error.cause === undefined) log.warn({ code: error.code }, error.message);
  else log.error(error);
}
