import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isHouseholds, READER_HEADER, type Endpoint } from '#shared/endpoint';
import { Refusal } from '#shared/refusals';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Answer, Call, Done, LongOperation } from '#server/plumbing/writes/operation';
import type { Records } from '#server/plumbing/records/records';
import type { Write } from '#server/plumbing/writes/perform';
import { idOf, namesTag } from '#server/plumbing/writes/tags';
import { toCall, type Exchange, type InTransaction } from './call.ts';
import { cleanBody, readQuery } from './clean.ts';
import { comesFromElsewhere } from './origin.ts';
import { requestSchema, routeSchema } from './schema.ts';
import {
  answerWrite,
  readForReplay,
  replay,
  requireUnchangedNow,
  reserveKey,
  sendTag,
  toWrite,
} from './write.ts';

export type { Exchange };

declare module 'fastify' {
  interface FastifyContextConfig {
    isOpen?: true;
    isSecret?: true;
    replacesAll?: true;
    writesBehind?: true;
  }
}

/** What an operation says of itself that only the server knows. */
interface Mounting<E extends Endpoint> {
  /** The record that `If-Match` speaks of, where it is not the path's own `:id`. */
  readonly recordId?: (call: Call<E> & Exchange) => number | null;
}

/**
 * Mounts a shared endpoint. In this order a request is refused when its caller must be known and is
 * not, when a page of another origin or of another reader sends a write, when they ask too often, when its key is taken, when a part
 * of it does not fit its schema, and when its record is not the one that it names by `If-Match`.
 * What the handler returns is the answer, with the endpoint's status of success; a read that returns nothing
 * is 404. A write runs in one
 * transaction: what its handler reads for the answer, it reads from the database.
 */
export function mount<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (
    call: Call<E> & Exchange & InTransaction<E>,
  ) => E extends { readonly method: 'GET' }
    ? Answer<E> | undefined | FastifyReply | Promise<Answer<E> | FastifyReply>
    : Answer<E>,
  mounting: Mounting<E> = {},
): void {
  addRoute(app, endpoint, (call: Call<E> & Exchange) => {
    if (endpoint.method === 'GET')
      return answerRead(app, endpoint, call, () => handler(toCall<E>(call)));
    return answerWrite(app.writes, call, {
      ...toWrite(call, endpoint, mounting.recordId?.(call)),
      run: ({ database }) => {
        const answer = handler(toCall<E>(call, database));
        return { answer: endpoint.response && answer };
      },
    });
  });
}

/** Mounts a write that keeps its act itself. */
export function mountAct<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  run: (records: Records<Transaction>, call: Call<E>) => Done<Answer<E>>,
): void {
  addRoute(app, endpoint, (call: Call<E> & Exchange) =>
    answerWrite(app.writes, call, {
      ...toWrite(call, endpoint),
      run: (records) => run(records, toCall<E>(call)),
    }),
  );
}

/**
 * Mounts a write that may touch very many records.
 *
 * @param done called once it is
 */
export function mountLong<const E extends Endpoint>(
  app: FastifyInstance,
  operation: LongOperation<E>,
  done: (call: Call<E> & Exchange) => void = () => undefined,
): void {
  const { endpoint } = operation;
  addRoute(app, endpoint, async (call: Call<E> & Exchange) => {
    const { params, query, body, utilisateur } = call;
    const work = atLength({ operation, call: { params, query, body, utilisateur } });
    const answer = await answerWrite(app.writes, call, { ...toWrite(call, endpoint), ...work });
    done(call);
    return answer;
  });
}

/** The work of a long operation. */
const atLength = (long: NonNullable<Write['long']>): Pick<Write, 'run' | 'long'> => ({
  run: (records) => long.operation.run(records, long.call, undefined),
  long,
});

/**
 * Mounts a write that has long work to do before its transaction, once `If-Match` holds.
 *
 * @param prepare gives what runs in the transaction, what is called where that refuses, and what is called after it,
 *   whatever came
 */
export function mountPrepared<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  prepare: (call: Call<E> & Exchange) => Promise<{
    readonly write: ((tx: Transaction) => Answer<E>) | NonNullable<Write['long']>;
    readonly discard?: () => void;
    readonly settled?: () => void;
  }>,
): void {
  addRoute(app, endpoint, async (call: Call<E> & Exchange) => {
    await requireUnchangedNow(app.writes, call.reply, toWrite(call, endpoint));
    const { write: work, discard, settled } = await prepare(call);
    const run = typeof work === 'function' ? inTransaction(work) : atLength(work);
    try {
      return await answerWrite(app.writes, call, { ...toWrite(call, endpoint), ...run });
    } catch (error) {
      discard?.();
      throw error;
    } finally {
      settled?.();
    }
  });
}

const inTransaction = (work: (tx: Transaction) => unknown): Pick<Write, 'run'> => ({
  run: ({ database }) => ({ answer: work(database) }),
});

function addRoute<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  answer: (call: Call<E> & Exchange) => unknown,
): void {
  app.route({
    config: {
      ...(endpoint.bytes && { file: endpoint.streamed ? 'streamed' : 'whole' }),
      ...(endpoint.perMinute && { rateLimit: { max: endpoint.perMinute } }),
      ...(endpoint.isOpen && { isOpen: true }),
      ...(endpoint.isSecret && { isSecret: true }),
      ...(endpoint.replacesAll && { replacesAll: true }),
      ...(endpoint.writesBehind && { writesBehind: true }),
      documented: () => routeSchema(endpoint),
    },
    ...(endpoint.bytes && { bodyLimit: endpoint.bytes }),
    method: endpoint.method,
    url: endpoint.path,
    schema: requestSchema(endpoint),
    onRequest: async (request) => {
      admit(app, endpoint, request);
      if (endpoint.method !== 'GET' && !endpoint.isSecret) reserveKey(app.writes, request);
    },
    preValidation: async (request, reply) => {
      await readForReplay(app.writes, request);
      const replayed = replay(app.writes, request, reply);
      if (replayed !== undefined) return replayed;
      Object.assign(request, {
        params: readIds(request.params),
        query: readQuery(request.url),
        body: endpoint.body ? cleanBody(request.body) : undefined,
      });
      if (typeof endpoint.isHouseholds === 'function') refuseOtherReader(endpoint, request);
      return undefined;
    },
    handler: async (request, reply) => {
      reply.code(endpoint.status ?? 200);
      return answer(toCall<E>({ request, reply }));
    },
    // Released before the answer leaves: who has read it may use the key again at once.
    onSend: async (request) => request.idempotency?.release(),
  });
}

/** Refuses whoever may not call an operation, whatever they ask of it. */
function admit(app: FastifyInstance, endpoint: Endpoint, request: FastifyRequest): void {
  app.assert(request.identity.utilisateur !== null || !isPersonal(endpoint, request.params), 401);
  if (endpoint.method === 'GET') return;
  app.assert(!comesFromElsewhere(request.headers), 403);
  if (typeof endpoint.isHouseholds !== 'function') refuseOtherReader(endpoint, request);
}

/** Refuses what a page sends in the name of another reader than its caller is by now (docs/rules.md § 33). */
function refuseOtherReader(endpoint: Endpoint, request: FastifyRequest): void {
  if (isHouseholds(endpoint, request.body)) return;
  const reader = request.headers[READER_HEADER.toLowerCase()];
  if (reader !== undefined && reader !== encodeURIComponent(request.identity.utilisateur ?? ''))
    throw new Refusal('AUTRE_LECTEUR');
}

/** The answer to a read, 404 where there is none; a record's with its tag, and 304 where the caller has it already. */
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

/** A path's id as a number, where it is written as the service writes it; codes stay texts. */
function readIds(params: unknown): Record<string, unknown> {
  return Object.fromEntries(
    entriesOf(params).map(([name, value]) => [
      name,
      name === 'id' && ID.test(String(value)) ? Number(value) : value,
    ]),
  );
}

const entriesOf = (params: unknown): [string, unknown][] =>
  typeof params === 'object' && params !== null ? Object.entries(params) : [];

const ID = /^[1-9]\d{0,15}$/;
