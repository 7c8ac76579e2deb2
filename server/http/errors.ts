import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { champRefuse, Refusal, type ErrorBody } from '#shared/refusals';

/** SQLite's words for « the file does not answer », whatever was asked of it. */
const INJOIGNABLE =
  /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|AUTH|PERM)/;

/** Every error's body, a refusal's details beside the four fields (contract.md « Conventions »). */
export function errorBody(refusal: Refusal): ErrorBody {
  const { status, code, message, details } = refusal;
  return { statusCode: status, error: STATUS_CODES[status] ?? '', code, message, ...details };
}

/** The refusal that an error amounts to; what nobody foresaw tells nothing of itself. */
export function toRefusal(error: Partial<FastifyError>): Refusal {
  if (isRefusal(error)) return error;
  const { code = '', statusCode = 500 } = error;
  if (INJOIGNABLE.test(code)) return new Refusal('BASE_INJOIGNABLE');
  if (statusCode === 413) return new Refusal('CORPS_TROP_GRAND');
  if (statusCode === 415) return new Refusal('TYPE_REFUSE');
  if (code === 'FST_ERR_BAD_URL') return champRefuse('adresse', 'ne se lit pas');
  if (code === 'ECONNRESET') return champRefuse('corps', 'n’est pas arrivé en entier');
  if ([403, 404, 414].includes(statusCode)) return new Refusal('INTROUVABLE');
  if (statusCode >= 400 && statusCode < 500)
    return champRefuse('corps', 'n’est pas du JSON lisible');
  return new Refusal('ERREUR_INTERNE');
}

/** Answers with a refusal and logs what the operator must know. */
export function sendError(
  error: Partial<FastifyError>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error);
  if (refusal.status >= 500) request.log.error(error);
  return reply.code(refusal.status).send(errorBody(refusal));
}

const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal;
