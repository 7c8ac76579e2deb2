import { withNoBreakSpaces } from '../format/french.ts';
import {
  type Answer,
  type Body,
  type Endpoint,
  HOUSEHOLD_HEADER,
  actsAsHousehold,
  keyHeaderOf,
  type Params,
  type Query,
  READER_HEADER,
} from '#shared/endpoint';
import type { Modification } from '#shared/modifications';
import { hasOutline } from '#shared/outline';
import { lirePortrait } from '#shared/portraits';
import type { RefusalDetails } from '#shared/refusal-details';
import type { RefusalCode } from '#shared/refusals';
import { base } from '../format/address.ts';
import { m } from '#messages';
import { link } from './link.ts';
import { unsafeCast } from './unsafe-cast.ts';

/** The timeout of a response, in milliseconds; a write may wait for others' long writes. */
const TIMEOUT_MS = 15_000;
const WAITING_TIMEOUT_MS = 55_000;

interface Options {
  readonly signal?: AbortSignal;
  /** Aborts a write, unless the service may have begun it. */
  readonly givenUp?: AbortSignal | undefined;
  /** The timeout of the whole response, in milliseconds, instead of the usual one. */
  readonly timeoutMs?: number;
  /** How long the connection may be idle, in milliseconds, instead of a timeout of the whole response. */
  readonly idleMs?: number;
  /** The seconds that a write waits for others, before it is refused with the running job. */
  readonly maxWaitS?: number;
  /** The revision that a PUT or DELETE is based on (docs/rules.md § 29); `null` overwrites any. */
  readonly ifMatch?: number | null;
  /** The reader of the requesting page, `undefined` if unknown. */
  readonly reader?: string | null | undefined;
  /** The household of the requesting page, `undefined` if unknown. */
  readonly household?: string | undefined;
  /** The idempotency key, shared by all attempts of a write, which get the first one's response. */
  readonly key?: string;
}

type Field<K extends string, V> = V extends undefined
  ? Readonly<Partial<Record<K, undefined>>>
  : Readonly<Record<K, V>>;

export type Call<E extends Endpoint> = Field<'params', Params<E>> &
  Field<'body', Body<E>> &
  Field<'bytes', E extends { readonly bytes: number } ? Blob : undefined> & {
    readonly query?: Query<E>;
  } & Options;

interface AnyCall extends Options {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly bytes?: Blob | undefined;
}

/** A response; for a write also its revision and its history entry. */
export interface Exchange<E extends Endpoint> {
  readonly body: Answer<E>;
  readonly revision: number | null;
  /** The modification to undo (docs/rules.md § 38); `null` where nothing was changed. */
  readonly modification: Pick<Modification, 'id' | 'resume'> | null;
}

/** Writes with a history entry go through `write()`, which notifies the bar (docs/rules.md § 46). */
export type PlainEndpoint = Endpoint & { readonly modification?: never };

/** @throws an `ApiError` without a response */
export async function call<E extends PlainEndpoint>(
  endpoint: E,
  request: Call<E>,
): Promise<Answer<E>> {
  return (await exchange(endpoint, request)).body;
}

/** The browser's `onLine` is ignored: it is false on a laptop without Wi-Fi beside its server, and behind some VPNs. */
export function requireLink(): void {
  if (link.state === 'offline') throw offlineError();
  if (link.state === 'sessionExpired') throw sessionExpiredError();
  if (link.state === 'otherHousehold')
    throw new ApiError('otherHousehold', m.write_other_household());
}

/** Sends one request. Every failure throws an `ApiError`, and makes the device check its connection. */
export async function exchange<E extends Endpoint>(
  endpoint: E,
  request: Call<E>,
): Promise<Exchange<E>> {
  const { signal } = request;
  try {
    const { response, body } = await send(endpoint, request);
    const revision = numberIn(response, 'X-Revision');
    return unsafeCast<Exchange<E>>({ body, revision, modification: modificationIn(response) });
  } catch (error) {
    signal?.throwIfAborted();
    const known = error instanceof ApiError ? error : unexpectedError(error, endpoint);
    if (known.refusal?.code === 'CONNEXION_REQUISE') link.hasOwnSignIn = true;
    const isOthers = ['AUTRE_LECTEUR', 'AUTRE_BIBLIOTHEQUE'].includes(known.refusal?.code ?? '');
    if (known.kind === 'offline' || known.kind === 'sessionExpired' || isOthers) link.failed();
    throw known;
  }
}

async function send(
  endpoint: Endpoint,
  request: AnyCall,
): Promise<{ readonly response: Response; readonly body: unknown }> {
  const { body, bytes, signal, idleMs, maxWaitS } = request;
  const mayWait = endpoint.method !== 'GET' && maxWaitS === undefined;
  const { timeoutMs = mayWait ? WAITING_TIMEOUT_MS : TIMEOUT_MS } = request;
  const limit = new AbortController();
  const expire = () => limit.abort(new DOMException('no answer in time', 'TimeoutError'));
  let timer = setTimeout(expire, idleMs ?? timeoutMs);
  const alive = () => {
    if (idleMs === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(expire, idleMs);
  };
  try {
    const init: RequestInit = {
      method: endpoint.method,
      headers: headersOf(endpoint, request),
      body: bytes ?? (body === undefined ? null : JSON.stringify(body)),
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      // A sign-on layer redirects to its own page, which must not be followed.
      redirect: 'manual',
      cache: 'no-store',
    };
    // An invalid request is a programming error.
    const asked = new Request(addressOf(endpoint, request), init);
    const response = await unlessCut(fetch(asked));
    alive();
    if (!response.ok || !isDue(endpoint, response)) throw await errorOf(response);
    if (endpoint.response === undefined) return { response, body: undefined };
    if (endpoint.type === BINARY) return { response, body: await unlessCut(readBytes(response)) };
    const answered = await unlessCut(readJson(response, alive));
    if (!hasOutline(endpoint.response, answered)) throw malformedError();
    return { response, body: answered };
  } finally {
    clearTimeout(timer);
  }
}

/** A proxy that answers everything, such as a captive portal, may return JSON as well. */
const malformedError = () => new TypeError('the answer has not the shape that was asked for');

/** Whether a response has the expected media type, or no body if none is expected. */
function isDue({ type, response: shape }: Endpoint, response: Response): boolean {
  if (shape === undefined) return response.status === NO_CONTENT;
  return type === BINARY ? isBytes(response) : isJson(response);
}

/** Only a missing or truncated response means that the device is offline. */
async function unlessCut<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    // The response arrived completely, but is no JSON: a proxy has cut it.
    if (error instanceof SyntaxError) throw error;
    throw offlineError();
  }
}

/** A programming error or an unreadable response: reported, since the screen cannot distinguish them. */
function unexpectedError(error: unknown, { method, path }: Endpoint): ApiError {
  link.fault(error, `${method} ${path}`);
  return new ApiError('unexpected', m.error_unexpected());
}

function modificationIn(response: Response): Exchange<Endpoint>['modification'] {
  const id = numberIn(response, 'X-Modification');
  const resume = response.headers.get('X-Modification-Resume') ?? '';
  return id === null ? null : { id, resume: decodeURIComponent(resume) };
}

function numberIn({ headers }: Response, name: string): number | null {
  const text = headers.get(name);
  return text === null ? null : Number(text);
}

const headersOf = (
  endpoint: Endpoint,
  { body, bytes, ifMatch, key, maxWaitS, reader, household }: AnyCall,
): Record<string, string> => ({
  accept: 'application/json',
  // The device's language, which may differ from the browser's.
  'accept-language': m.locale(),
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
  ...(typeof ifMatch === 'number' ? { 'If-Match': `"${ifMatch}"` } : {}),
  ...(reader === undefined || actsAsHousehold(endpoint, body)
    ? {}
    : { [READER_HEADER]: encodeURIComponent(reader ?? '') }),
  ...(household === undefined ? {} : { [HOUSEHOLD_HEADER]: household }),
  ...(key === undefined ? {} : { [keyHeaderOf(endpoint.method)]: key }),
  ...(maxWaitS === undefined ? {} : { Prefer: `wait=${maxWaitS}` }),
});

export function addressOf(
  { path }: Endpoint,
  { params, query }: Pick<AnyCall, 'params' | 'query'>,
): string {
  const values = new Map<string, unknown>(Object.entries(params ?? {}));
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  const criteria = new URLSearchParams();
  const given: [string, unknown][] = Object.entries(query ?? {});
  for (const [name, value] of given.filter((one) => one[1] !== undefined))
    criteria.set(name, String(value));
  return base + (criteria.size === 0 ? filled : `${filled}?${criteria}`);
}

/** The statuses of a proxy whose server does not respond. */
const NO_SERVER = new Set([502, 503, 504]);

/** The statuses of a sign-on layer in the server's place, with a page or without a body. */
const SIGN_ON = new Set([401, 403]);

const TOO_LARGE = 413;

const NO_CONTENT = 204;

const offlineError = () => new ApiError('offline', m.error_offline());

const sessionExpiredError = () => new ApiError('sessionExpired', m.error_session_expired());

/**
 * The error of a failed or unexpected response. A sign-on layer may answer in five ways (docs/rules.md § 33): a
 * redirect to another host or to this one, 401, 403 with a page, 200 with a page. No text of a response is shown
 * except our own messages.
 */
async function errorOf(response: Response): Promise<ApiError> {
  if (response.type === 'opaqueredirect') return sessionExpiredError();
  const body: unknown = await response.json().catch(() => undefined);
  if (isRefusal(body, response)) {
    const refusal = await localized(body);
    if (refusal.code === 'CONNEXION_REQUISE')
      return new ApiError('sessionExpired', m.error_session_expired(), refusal);
    return new ApiError('refusal', refusal.message, refusal, revisionOf(response));
  }
  if (NO_SERVER.has(response.status)) return offlineError();
  if (response.ok && isJson(response)) throw malformedError();
  if (SIGN_ON.has(response.status) || response.ok) return sessionExpiredError();
  // A proxy with a smaller limit answers with a page.
  if (response.status === TOO_LARGE) return new ApiError('unexpected', m.error_too_large());
  return new ApiError('unexpected', m.error_unexpected());
}

/**
 * A refusal with messages in the device's language, made from its code and details (docs/rules.md § 61). The
 * service's messages are used if the table does not load, and for a later version's codes.
 */
async function localized(answered: Refusal): Promise<Refusal> {
  const words = await import('#shared/refusals').then(
    ({ wordsOf }) => wordsOf(answered),
    () => null,
  );
  const { message } = words ?? answered;
  return unsafeCast<Refusal>({ ...answered, ...words, message: withNoBreakSpaces(message) });
}

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.includes('json') ?? false;

const BINARY = 'application/octet-stream';

/** A page of a sign-on layer has another media type. */
const isBytes = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith(BINARY) ?? false;

function revisionOf({ headers }: Response): number | null {
  const tag = /^(?:W\/)?"(\d+)"$/.exec(headers.get('ETag') ?? '');
  return tag === null ? null : Number(tag[1]);
}

/** Codes other than refusals: of a proxy with Fastify, whose errors have the same shape, and of internal errors. */
const NO_REFUSAL = /^FST_|^ERREUR_INTERNE$/;

/** By the shape of every error (docs/rules.md § 3): the table of refusals may not load, or lack later codes. */
const isRefusal = (body: unknown, { status }: Response): body is Refusal =>
  typeof body === 'object' &&
  body !== null &&
  'statusCode' in body &&
  body.statusCode === status &&
  'message' in body &&
  typeof body.message === 'string' &&
  'code' in body &&
  typeof body.code === 'string' &&
  !NO_REFUSAL.test(body.code);

/** Reads a body as JSON and reports every chunk, so that a slow line does not time out. */
async function readJson(response: Response, arrived: () => void): Promise<unknown> {
  if (response.body === null) return response.json();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return JSON.parse(text + decoder.decode());
    arrived();
    text += decoder.decode(value, { stream: true });
  }
}

async function readBytes(response: Response): Promise<unknown> {
  return new Uint8Array(await response.arrayBuffer());
}

export const portraitAddress = (cle: string): string =>
  addressOf(lirePortrait, { params: { cle } });

type Details<C> = C extends keyof RefusalDetails ? RefusalDetails[C] : unknown;

export type Refusal = {
  [C in RefusalCode]: { readonly code: C; readonly message: string } & Details<C>;
}[RefusalCode];

/**
 * Why an operation has no response: `refusal` (a rule), `offline` (no network or server), `sessionExpired` (the
 * sign-on requires a sign-in), `otherHousehold` (another household answers), `unexpected` (the server failed).
 */
type ApiErrorKind = 'refusal' | 'offline' | 'sessionExpired' | 'otherHousehold' | 'unexpected';

/** A failed operation; its message is a sentence for the screen. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly refusal: Refusal | null;
  /** The revision of the record that the refusal carries (`MODIFIE_ENTRETEMPS`), else `null`. */
  readonly revision: number | null;

  constructor(
    kind: ApiErrorKind,
    message: string,
    refusal: Refusal | null = null,
    revision: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
    this.kind = kind;
    this.refusal = refusal;
    this.revision = revision;
  }
}

/** The message of an error, for the screen. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : m.error_unexpected();

export const refusalOf = (error: unknown): Refusal | null =>
  error instanceof ApiError ? error.refusal : null;
