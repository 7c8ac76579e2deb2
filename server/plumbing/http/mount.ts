import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { resumeOf, type Message } from '#shared/history';
import type { Locale } from '#shared/locale';
import {
  HOUSEHOLD_HEADER,
  actsAsHousehold,
  keyHeaderOf,
  paramsOf,
  READER_HEADER,
  statusOf,
  type Endpoint,
} from '#shared/endpoint';
import { champRefusal, Refusal } from '#shared/refusals';
import { shortened } from '#shared/text';
import { accessRefusal } from '#server/plumbing/common/access';
import { isRefusal } from '#server/plumbing/common/error-body';
import { fingerprint } from '#server/plumbing/writes/idempotency';
import type { Exchange, Operation, Read, Write } from '#server/plumbing/writes/operations';
import { idOf, namesTag } from '#server/plumbing/writes/etags';
import type { Writes } from '#server/plumbing/writes/writes';
import { comesFromElsewhere } from './identity.ts';
import { besidesLangue, VARY, withoutLangue } from './language.ts';
import { cleanBody, entriesOf, readQuery, whileAwaited } from './request.ts';

// The edge between HTTP and the operations: a request becomes a call, and a write (writes/operations.ts), which
// `Writes.execute` performs.

export type Route<S = unknown> = Operation<S> | Read;

/**
 * Mounts routes. A request is refused in this order: access; origin, household and reader of a write (after the body
 * if that names the owner); idempotency key in use; rate limit; schemas; and, under the write lock, `If-Match`.
 *
 * @param services passed to each `prepare`
 */
export function mount(app: FastifyInstance, routes: readonly Route<undefined>[]): void;
export function mount<S>(app: FastifyInstance, routes: readonly Route<S>[], services: S): void;
export function mount(app: FastifyInstance, routes: readonly Route[], services?: unknown): void {
  for (const route of routes)
    addRoute(app, route, (exchange) =>
      'isRead' in route
        ? answerRead(app, route, exchange)
        : answerWrite(app.writes, route, exchange, services),
    );
}

function addRoute(
  app: FastifyInstance,
  { endpoint, may }: Pick<Read, 'endpoint' | 'may'>,
  answer: (exchange: Exchange) => unknown,
): void {
  app.route({
    config: {
      endpoint,
      may,
      ...(endpoint.perMinute && { rateLimit: { max: endpoint.perMinute } }),
    },
    ...(endpoint.bytes && { bodyLimit: endpoint.bytes }),
    method: endpoint.method,
    url: endpoint.path,
    schema: requestSchema(endpoint),
    onRequest: async (request, reply) => {
      // Responses depend on the requested language.
      reply.vary(VARY);
      requireAccess(request);
      if (endpoint.method === 'GET') return;
      app.assert(!comesFromElsewhere(request.headers), 403);
      refuseOtherHousehold(app.writes, request);
      if (typeof endpoint.actsAsHousehold !== 'function') refuseOtherReader(endpoint, request);
      if (!endpoint.isSecret) reserveKey(app.writes, request);
    },
    preValidation: async (request, reply) => {
      await readForReplay(app.writes, request);
      const replayed = replay(app.writes, request, reply);
      if (replayed !== undefined) return replayed;
      Object.assign(request, {
        params: readIds(request.params),
        query: besidesLangue(readQuery(request.url)),
        body: endpoint.body ? cleanBody(request.body) : undefined,
      });
      if (typeof endpoint.actsAsHousehold === 'function') refuseOtherReader(endpoint, request);
      return undefined;
    },
    handler: async (request, reply) => {
      reply.code(statusOf(endpoint));
      return answer({ request, reply });
    },
    // Released before the response is sent, so that the client may reuse the key at once.
    onSend: async (request) => request.idempotency?.release(),
  });
}

/** Refuses a caller without access to the operation (docs/rules.md § 1). */
export function requireAccess({ method, routeOptions, identity, proof }: FastifyRequest): void {
  const { endpoint, may = 'household' } = routeOptions.config;
  const refused = accessRefusal(may, {
    proof,
    isKnown: identity.utilisateur !== null,
    hasSideEffects: !['GET', 'HEAD'].includes(method) || endpoint?.hasSideEffects === true,
  });
  if (refused !== null) throw new Refusal(refused);
}

/** Refuses a write from a page of another household, whose ids mean other records (docs/rules.md § 33). */
function refuseOtherHousehold({ records }: Writes, request: FastifyRequest): void {
  const household = request.headers[HOUSEHOLD_HEADER.toLowerCase()];
  if (household !== undefined && household !== records.database.householdId)
    throw new Refusal('AUTRE_BIBLIOTHEQUE');
}

/** Refuses a write sent in the name of another reader than the present caller (docs/rules.md § 33). */
function refuseOtherReader(endpoint: Endpoint, request: FastifyRequest): void {
  if (actsAsHousehold(endpoint, request.body)) return;
  const reader = request.headers[READER_HEADER.toLowerCase()];
  if (reader !== undefined && reader !== encodeURIComponent(request.identity.utilisateur ?? ''))
    throw new Refusal('AUTRE_LECTEUR');
}

/** 404 without a value. A record is sent with its ETag, and as 304 if the caller has it. */
function answerRead(app: FastifyInstance, route: Read, exchange: Exchange): unknown {
  const { endpoint } = route;
  const { request, reply } = exchange;
  const answer = route.run({ ...callOf(request), ...exchange });
  app.assert(answer !== undefined, 404);
  const id = idOf(answer);
  if (endpoint.record === undefined || id === null) return answer;
  const { utilisateur } = request.identity;
  const tag = sendTag(app.writes, endpoint, reply, { utilisateur, id });
  const known = request.headers['if-none-match'];
  if (endpoint.record.tagCoversBody === false || tag === undefined || known === undefined)
    return answer;
  return namesTag(known, tag) ? reply.code(304).send() : answer;
}

/** Answers with the value of the write, or with the JSON that is stored for its key. */
async function answerWrite(
  writes: Writes,
  operation: Operation,
  { request, reply }: Exchange,
  services: unknown,
): Promise<unknown> {
  const call = callOf(request);
  const { utilisateur } = request.identity;
  const write: Write = {
    operation,
    call: { ...call, prepared: undefined },
    utilisateur,
    actor: actsAsHousehold(operation.endpoint, request.body) ? null : utilisateur,
    recordId: operation.recordId
      ? operation.recordId(writes.records.database, call)
      : idOf(request.params),
    ifMatch: request.headers['if-match'],
    key: null,
    maxWaitMs: wantedWaitMs(request),
    signal: whileAwaited(reply),
    recheckAccess: request.recheckAccess,
  };
  const [afterwards, onFailure] = [new DisposableStack(), new DisposableStack()];
  try {
    if (operation.prepare) writes.etags.requireUnchanged(write);
    const prepared = await operation.prepare?.(
      { ...call, request, reply, afterwards, onFailure },
      services,
    );
    // The fingerprint covers the whole body, which `prepare` may have read.
    const key = writeKeyOf(request);
    const written = await writes.execute({ ...write, call: { ...call, prepared }, key });
    const { status, headers, message, body } = written;
    reply.code(status).headers(headers).headers(headersOfModification(message, request.locale));
    if (body) reply.type(JSON_TYPE);
    return body ?? written.answer;
  } catch (error) {
    onFailure.dispose();
    if (isRefusal(error) && error.code === 'MODIFIE_ENTRETEMPS' && write.recordId !== null)
      sendTag(writes, operation.endpoint, reply, { utilisateur, id: write.recordId });
    throw error;
  } finally {
    afterwards.dispose();
  }
}

function callOf({ params, query, body, identity, locale }: FastifyRequest) {
  return { params, query, body, utilisateur: identity.utilisateur, locale };
}

/** A path's id becomes a number where it is written as the service writes it; codes stay texts. */
function readIds(params: unknown): Record<string, unknown> {
  return Object.fromEntries(
    entriesOf(params).map(([name, value]) => [
      name,
      name === 'id' && ID.test(String(value)) ? Number(value) : value,
    ]),
  );
}

const ID = /^[1-9]\d{0,15}$/;

const JSON_TYPE = 'application/json; charset=utf-8';

const KEY = /^[\x21-\x7e]{1,200}$/;

/**
 * Reserves the key of a write until its response is sent. Throws `REQUETE_INVALIDE` for an empty, too long or
 * blank-containing key, and `DEMANDE_EN_COURS` while a request with it is running (docs/rules.md § 29).
 */
function reserveKey({ keys }: Writes, request: FastifyRequest): void {
  const name = keyHeaderOf(request.method);
  const header = request.headers[name.toLowerCase()];
  if (header === undefined) return;
  const key = [header].flat().join(' ');
  if (!KEY.test(key)) throw champRefusal(name, 'CLE');
  const owner = { utilisateur: request.identity.utilisateur ?? '', key };
  request.idempotency = { owner, release: keys.reserve(owner) };
}

/**
 * Reads a streamed file to its end if its key has a stored response: only the digest tells whether the request is the
 * same.
 */
async function readForReplay({ keys }: Writes, request: FastifyRequest): Promise<void> {
  const { idempotency, bodyStream } = request;
  if (idempotency !== null && bodyStream !== null && keys.under(idempotency.owner) !== undefined)
    await finished(bodyStream.resume());
}

function replay(
  { keys }: Writes,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (request.bodyStream?.readableEnded === false) return undefined;
  const key = writeKeyOf(request);
  const kept = key === null ? undefined : keys.find(key.owner, key.fingerprint);
  if (kept === undefined) return undefined;
  void reply
    .code(kept.status)
    .headers(kept.headers)
    .headers(headersOfModification(kept.message, request.locale));
  void reply.header('Idempotency-Replayed', 'true');
  return kept.body === '' ? reply.send() : reply.type(JSON_TYPE).send(kept.body);
}

/** nginx accepts 4 kB of headers by default; a character is up to 9 bytes there. */
const MAX_RESUME = 300;

function headersOfModification(message: Message | null, locale: Locale): Record<string, string> {
  if (message === null) return {};
  const resume = shortened(resumeOf(message, locale), MAX_RESUME);
  return { 'X-Modification-Resume': encodeURIComponent(resume) };
}

function sendTag(
  { etags }: Writes,
  { record }: Endpoint,
  reply: FastifyReply,
  key: { readonly utilisateur: string | null; readonly id: number },
): string | undefined {
  const tag = record && etags.of({ ...record, ...key });
  if (tag !== undefined) reply.header('ETag', tag);
  return tag;
}

/** `Prefer: wait=4`, in seconds (§ 4.3 of RFC 7240). */
function wantedWaitMs({ headers }: FastifyRequest): number | undefined {
  const seconds = /(?:^|[,;])\s*wait\s*=\s*(\d{1,9})\s*(?:$|[,;])/i.exec(
    String(headers['prefer']),
  )?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

const writeKeyOf = ({
  idempotency,
  method,
  url,
  bodyBytes,
  bodyHash,
  locale,
}: FastifyRequest): Write['key'] =>
  idempotency && {
    locale,
    owner: idempotency.owner,
    fingerprint: fingerprint(
      method,
      withoutLangue(url),
      bodyBytes ?? bodyHash?.copy().digest() ?? null,
    ),
  };

/** Takes bytes: Fastify encodes a string anew for its length. */
export const sendJson = (reply: FastifyReply, json: Buffer | Readable): FastifyReply =>
  reply.type(JSON_TYPE).send(json);

/** The answer is saved as a file: an archive, or a text in UTF-8. */
export const attach = (reply: FastifyReply, type: string, fileName: string): FastifyReply =>
  reply
    .type(type === 'application/zip' ? type : `${type}; charset=utf-8`)
    .header('Content-Disposition', `attachment; filename="${fileName}"`);

export function requestSchema(endpoint: Endpoint): FastifySchema {
  const { query, body } = endpoint;
  const params = paramsOf(endpoint);
  return {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
  };
}
