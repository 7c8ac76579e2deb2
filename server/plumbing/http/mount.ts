import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { resumeOf, type Told } from '#shared/acts';
import type { Locale } from '#shared/locale';
import {
  HOUSEHOLD_HEADER,
  isHouseholds,
  keyHeaderOf,
  paramsOf,
  READER_HEADER,
  statusOf,
  type Endpoint,
} from '#shared/endpoint';
import { champRefusal, Refusal } from '#shared/refusals';
import { shortened } from '#shared/text';
import { isRefusal } from '#server/plumbing/common/error-body';
import type { Transaction } from '#server/plumbing/database/connection';
import { fingerprint } from '#server/plumbing/writes/kept-answers';
import type {
  AnyCall,
  AnyOperation,
  Call,
  HandlerAnswer,
  LongOperation,
  Write,
} from '#server/plumbing/writes/operations';
import { idOf, namesTag } from '#server/plumbing/writes/tags';
import type { Writes } from '#server/plumbing/writes/writes';
import { comesFromElsewhere } from './identity.ts';
import { besidesLangue, VARY, withoutLangue } from './language.ts';
import { cleanBody, entriesOf, readQuery, whileAwaited } from './request.ts';

// A request becomes a `Call` for its handler, and where it writes a `Write` (writes/operations.ts): who asks what under
// which key, and the work of its transaction. `Writes.inTurn` performs the write; all else here is HTTP.

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type InTransaction<E extends Endpoint> = E extends { readonly method: 'GET' }
  ? unknown
  : { readonly tx: Transaction };

/**
 * Mounts a shared endpoint. A request is refused, in this order: where its caller is unknown and must not be; where a
 * page of another origin, household or reader sends a write (where the body says whose it is, once that is read); where
 * its key is in use; where the caller asks too often; where a part does not fit its schema; and, once it is a write's
 * turn, where its record is not in the state that `If-Match` names. The handler
 * returns the answer, sent with the endpoint's status; a read that returns nothing is 404. A write runs in one
 * transaction, in which its handler also reads the answer.
 *
 * @param recordId the record of `If-Match`, where it is not the path's `:id`
 */
export function mount<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (
    call: Call<E> & Exchange & InTransaction<E>,
  ) => E extends { readonly method: 'GET' }
    ? HandlerAnswer<E> | undefined | FastifyReply | Promise<HandlerAnswer<E> | FastifyReply>
    : HandlerAnswer<E>,
  recordId?: (call: Call<E> & Exchange) => number | null,
): void {
  addRoute(app, endpoint, (call: Call<E> & Exchange) => {
    if (endpoint.method === 'GET')
      return answerRead(app, endpoint, call, () => handler(toCall<E>(call)));
    return answerWrite(app.writes, call, {
      ...toWrite(call, endpoint, recordId?.(call)),
      ...ofHandler(call, ({ database }) => ({ answer: handler(toCall<E>(call, database)) })),
    });
  });
}

/**
 * Mounts a write that may touch very many records.
 *
 * @param begin called before it, and may refuse it; returns what is called after it in any case
 */
export function mountLong<const E extends Endpoint>(
  app: FastifyInstance,
  operation: LongOperation<E>,
  begin?: (request: FastifyRequest) => () => void,
): void {
  const { endpoint } = operation;
  addRoute(app, endpoint, async (call: Call<E> & Exchange) => {
    const settled = begin?.(call.request);
    try {
      const write = { ...toWrite(call, endpoint), operation, call: partsOf(call) };
      return await answerWrite(app.writes, call, write);
    } finally {
      settled?.();
    }
  });
}

/**
 * Mounts a write with slow work before its transaction, once `If-Match` holds.
 *
 * @param receive gives what runs in the transaction, what is called where that refuses, and what is called after it in
 * any case
 */
export function mountPrepared<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  receive: (call: Call<E> & Exchange) => Promise<{
    readonly write: ((tx: Transaction) => HandlerAnswer<E>) | OperationCall;
    readonly discard?: () => void;
    readonly settled?: () => void;
  }>,
): void {
  addRoute(app, endpoint, async (call: Call<E> & Exchange) => {
    const { writes } = app;
    const about = toWrite(call, endpoint);
    // Refused before the slow work; the transaction checks again.
    await withTagOnRefusal(writes, call.reply, about, () => writes.tags.requireUnchanged(about));
    const { write: work, discard, settled } = await receive(call);
    const operation =
      typeof work === 'function'
        ? ofHandler(call, ({ database }) => ({ answer: work(database) }))
        : work;
    try {
      // Made anew: what tells the request by its key is the digest of a streamed file, which `receive` has read.
      return await answerWrite(writes, call, { ...toWrite(call, endpoint), ...operation });
    } catch (error) {
      discard?.();
      throw error;
    } finally {
      settled?.();
    }
  });
}

function addRoute<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  answer: (call: Call<E> & Exchange) => unknown,
): void {
  app.route({
    config: { endpoint, ...(endpoint.perMinute && { rateLimit: { max: endpoint.perMinute } }) },
    ...(endpoint.bytes && { bodyLimit: endpoint.bytes }),
    method: endpoint.method,
    url: endpoint.path,
    schema: requestSchema(endpoint),
    onRequest: async (request, reply) => {
      // What it tells is in the language that is asked for.
      reply.vary(VARY);
      admit(app, endpoint, request);
      if (endpoint.method !== 'GET' && !endpoint.isSecret) reserveKey(app.writes, request);
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
      if (typeof endpoint.isHouseholds === 'function') refuseOtherReader(endpoint, request);
      return undefined;
    },
    handler: async (request, reply) => {
      reply.code(statusOf(endpoint));
      return answer(toCall<E>({ request, reply }));
    },
    // Released before the answer leaves: whoever has read it may use the key again at once.
    onSend: async (request) => request.idempotency?.release(),
  });
}

function admit(app: FastifyInstance, endpoint: Endpoint, request: FastifyRequest): void {
  app.assert(request.identity.utilisateur !== null || !isPersonal(endpoint, request.params), 401);
  if (endpoint.method === 'GET') return;
  app.assert(!comesFromElsewhere(request.headers), 403);
  refuseOtherHousehold(app.writes, request);
  if (typeof endpoint.isHouseholds !== 'function') refuseOtherReader(endpoint, request);
}

/** Refuses a write of a page that shows another household, whose ids mean other records (docs/rules.md § 33). */
function refuseOtherHousehold({ records }: Writes, request: FastifyRequest): void {
  const household = request.headers[HOUSEHOLD_HEADER.toLowerCase()];
  if (household !== undefined && household !== records.database.householdId)
    throw new Refusal('AUTRE_BIBLIOTHEQUE');
}

/** Refuses a write sent in the name of another reader than the present caller (docs/rules.md § 33). */
function refuseOtherReader(endpoint: Endpoint, request: FastifyRequest): void {
  if (isHouseholds(endpoint, request.body)) return;
  const reader = request.headers[READER_HEADER.toLowerCase()];
  if (reader !== undefined && reader !== encodeURIComponent(request.identity.utilisateur ?? ''))
    throw new Refusal('AUTRE_LECTEUR');
}

/** 404 where there is nothing. A record comes with its tag, and as 304 where the caller has it. */
function answerRead(
  app: FastifyInstance,
  endpoint: Endpoint,
  call: Exchange,
  read: () => unknown,
): unknown {
  const answer = read();
  app.assert(answer !== undefined, 404);
  const id = idOf(answer);
  if (endpoint.record === undefined || id === null) return answer;
  const { request, reply } = call;
  const { utilisateur } = request.identity;
  const tag = sendTag(app.writes, endpoint, reply, { utilisateur, id });
  const known = request.headers['if-none-match'];
  if (endpoint.record.tagCoversBody === false || tag === undefined || known === undefined)
    return answer;
  return namesTag(known, tag) ? reply.code(304).send() : answer;
}

function isPersonal({ personal }: Endpoint, params: unknown): boolean {
  if (typeof personal !== 'function') return personal === true;
  return personal(Object.fromEntries(entriesOf(params)));
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
 * Reserves the key of a write until its answer or error is sent. Throws `REQUETE_INVALIDE` for a key that is empty, too
 * long or has a blank, and `DEMANDE_EN_COURS` while its request is under way (docs/rules.md § 29).
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

/** Reads a streamed file to its end where its key has an answer: the digest tells the same request from another. */
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
    .headers(headersOfAct(kept.told, request.locale));
  void reply.header('Idempotency-Replayed', 'true');
  return kept.body === '' ? reply.send() : reply.type(JSON_TYPE).send(kept.body);
}

type OperationCall = Pick<Write, 'operation' | 'call'>;

/** An operation of this request alone. */
const ofHandler = (call: Exchange, run: AnyOperation['run']): OperationCall => ({
  operation: { run },
  call: partsOf(call),
});

function partsOf({ request }: Exchange): AnyCall {
  const { params, query, body, identity, locale } = request;
  return { params, query, body, utilisateur: identity.utilisateur, locale };
}

function toWrite(
  { request, reply }: Exchange,
  endpoint: Endpoint,
  recordId = idOf(request.params),
): Omit<Write, 'operation' | 'call'> {
  const { utilisateur } = request.identity;
  return {
    endpoint,
    utilisateur,
    actor: isHouseholds(endpoint, request.body) ? null : utilisateur,
    recordId,
    ifMatch: request.headers['if-match'],
    key: writeKeyOf(request),
    maxWaitMs: wantedWaitMs(request),
    readReply: () => ({ status: reply.statusCode, headers: ownHeaders(reply) }),
  };
}

/** Answers with the write's value, or with the JSON that is kept for its key. */
async function answerWrite(
  writes: Writes,
  { request, reply }: Exchange,
  write: Write,
): Promise<unknown> {
  const { answer, status, headers, told, body } = await withTagOnRefusal(writes, reply, write, () =>
    writes.inTurn({ ...write, signal: whileAwaited(reply) }, request.readmit),
  );
  reply.code(status).headers(headers).headers(headersOfAct(told, request.locale));
  if (body) reply.type(JSON_TYPE);
  return body ?? answer;
}

/** nginx takes 4 kB of headers by default; a character is up to 9 bytes there. */
const MAX_RESUME = 300;

function headersOfAct(told: Told | null, locale: Locale): Record<string, string> {
  if (told === null) return {};
  const resume = shortened(resumeOf(told, locale), MAX_RESUME);
  return { 'X-Modification-Resume': encodeURIComponent(resume) };
}

/** Sends the record's tag along with a refused `If-Match`. */
async function withTagOnRefusal<T>(
  writes: Writes,
  reply: FastifyReply,
  { endpoint, utilisateur, recordId }: Pick<Write, 'endpoint' | 'utilisateur' | 'recordId'>,
  work: () => T,
): Promise<Awaited<T>> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error) && error.code === 'MODIFIE_ENTRETEMPS' && recordId !== null)
      sendTag(writes, endpoint, reply, { utilisateur, id: recordId });
    throw error;
  }
}

function sendTag(
  { tags }: Writes,
  endpoint: Write['endpoint'],
  reply: FastifyReply,
  key: { readonly utilisateur: string | null; readonly id: number },
): string | undefined {
  const record = endpoint?.record;
  const tag = record && tags.of({ ...record, ...key });
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

const ownHeaders = (reply: FastifyReply): Record<string, string> =>
  reply.hasHeader('Location') ? { Location: String(reply.getHeader('Location')) } : {};

function toCall<E extends Endpoint>(
  { request, reply }: Exchange,
  tx?: Transaction,
): Call<E> & Exchange & InTransaction<E> {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the parts have been validated by the schemas that their types are made from, an unknown caller of a personal operation has been refused, and a write is given its transaction
  return { ...partsOf({ request, reply }), request, reply, tx } as unknown as Call<E> &
    Exchange &
    InTransaction<E>;
}

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
