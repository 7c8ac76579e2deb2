import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { champRefusal, Refusal, type RefusalCode, type RefusalDetails } from '#shared/refusals';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';

/** SQLite's codes for a file that cannot be read or written, whatever the statement. */
const UNREACHABLE =
  /^SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|AUTH|PERM)/;

/** A page of the database that is not as SQLite wrote it. */
const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/;

/** The system's codes for a file that its disk does not take. */
const NO_ROOM = /^(?:ENOSPC|EDQUOT|EFBIG)$/;

/** The refusals that the plumbing's HTTP errors stand for, by status: ours are `httpErrors` and `assert`. */
const BY_STATUS: Readonly<Partial<Record<number, Exclude<RefusalCode, keyof RefusalDetails>>>> = {
  401: 'IDENTITE_INCONNUE',
  403: 'ORIGINE_REFUSEE',
  404: 'INTROUVABLE',
  408: 'DEMANDE_TROP_LENTE',
  413: 'CORPS_TROP_GRAND',
  414: 'INTROUVABLE',
  415: 'TYPE_REFUSE',
  421: 'HOTE_INCONNU',
  429: 'TROP_DE_DEMANDES',
  431: 'EN_TETES_TROP_GRANDS',
};

/** The refusal that an error amounts to. An unexpected error discloses nothing of itself. */
export function toRefusal(error: Partial<FastifyError>): Refusal {
  if (isRefusal(error)) return error;
  const { code = '', statusCode = 500 } = error;
  if (code.startsWith('SQLITE_FULL') || NO_ROOM.test(code)) return new Refusal('DISQUE_PLEIN');
  if (DAMAGED.test(code)) return new Refusal('BASE_ABIMEE');
  if (UNREACHABLE.test(code)) return new Refusal('BASE_INJOIGNABLE');
  if (code === 'FST_ERR_BAD_URL') return champRefusal('adresse', 'ne se lit pas');
  if (code === 'ECONNRESET') return champRefusal('corps', 'n’est pas arrivé en entier');
  const known = BY_STATUS[statusCode];
  if (known !== undefined) return new Refusal(known);
  if (statusCode >= 400 && statusCode < 500)
    return champRefusal('corps', 'n’est pas du JSON lisible');
  return new Refusal('ERREUR_INTERNE');
}

/** Answers with a refusal and logs what the operator must know. */
export function sendError(
  error: Partial<FastifyError>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error);
  if (refusal.status >= 500) logFailure(request.log, error);
  if (refusal.code === 'ORIGINE_REFUSEE')
    request.log.warn({ origin: request.headers.origin }, 'Refused a write of another origin');
  const { retryAfterS } = refusal;
  if (retryAfterS !== undefined) reply.header('Retry-After', retryAfterS);
  return reply.code(refusal.status).send(errorBody(refusal));
}

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
