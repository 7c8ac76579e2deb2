import { refusals } from '#shared/refusals';
import { withNoBreakSpaces } from '$lib/format/no-break';
import { m } from '$lib/paraglide/messages';
import { ApiError, type Refusal } from './error.ts';

/** The statuses of a proxy whose server does not answer. */
const NO_SERVER = new Set([502, 503, 504]);

/** The statuses of a sign-on layer in the server's place, with a page or without a body. */
const SIGN_ON = new Set([401, 403]);

const TOO_LARGE = 413;

export const offlineError = () => new ApiError('offline', m.error_offline());

export const sessionExpiredError = () => new ApiError('sessionExpired', m.error_session_expired());

/**
 * The error of an answer that failed, or is not JSON where JSON is expected. A sign-on layer has five
 * habits (docs/rules.md § 33): a redirect to another host or to this one, 401, 403 with a page, 200
 * with a page. Nothing of an answer's text but our own sentences is kept.
 */
export async function errorOf(response: Response): Promise<ApiError> {
  if (response.type === 'opaqueredirect') return sessionExpiredError();
  const body: unknown = await response.json().catch(() => undefined);
  if (isRefusal(body)) {
    const refusal = { ...body, message: withNoBreakSpaces(body.message) };
    if (refusal.code === 'CONNEXION_REQUISE')
      return new ApiError('sessionExpired', m.error_session_expired(), refusal);
    return new ApiError('refusal', refusal.message, refusal, revisionOf(response));
  }
  if (NO_SERVER.has(response.status)) return offlineError();
  if (SIGN_ON.has(response.status) || response.ok) return sessionExpiredError();
  // A proxy with a smaller limit of its own answers with a page.
  if (response.status === TOO_LARGE) return new ApiError('unexpected', m.error_too_large());
  return new ApiError('unexpected', m.error_unexpected());
}

/** True for an answer whose body can be read as JSON. */
export const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.includes('json') ?? false;

/** The media type of an answer that is bytes of our own. */
export const BINARY = 'application/octet-stream';

/** True for an answer with such bytes; a page of a sign-on layer has another media type. */
export const isBytes = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith(BINARY) ?? false;

/** The revision in an `ETag`, weak or strong; `null` without one. */
function revisionOf({ headers }: Response): number | null {
  const tag = /^(?:W\/)?"(\d+)"$/.exec(headers.get('ETag') ?? '');
  return tag === null ? null : Number(tag[1]);
}

function isRefusal(body: unknown): body is Refusal {
  return (
    typeof body === 'object' &&
    body !== null &&
    'message' in body &&
    typeof body.message === 'string' &&
    'code' in body &&
    typeof body.code === 'string' &&
    body.code in refusals &&
    body.code !== 'ERREUR_INTERNE'
  );
}
