import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { champRefusal, Refusal, type RefusalCode, type RefusalDetails } from '#shared/refusals';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import { logFailure } from './log.ts';

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
