import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#shared/endpoint';
import type { Refusal } from '#shared/refusals';
import type { Context } from '#server/context';
import {
  fingerprint,
  KeptAnswers,
  readKey,
  type KeptAnswer,
  type KeyOwner,
} from '#server/idempotency/domain';
import { recording } from '#server/modifications/domain/recording';
import type { Records } from '#server/records/records';
import { idOf } from './call.ts';
import { errorBody, isRefusal } from './errors.ts';
import { Tags } from './tags.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** What an answer says of a write besides its body, repeated when it is replayed. */
const KEPT_HEADERS = ['Location', 'X-Revision', 'X-Modification', 'ETag'];

/** A write's own view of one request. */
interface Write {
  readonly endpoint: Endpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The record that `If-Match` speaks of; `null` where there is none. */
  readonly recordId: number | null;
}

/**
 * Runs the operations that write: each in one transaction, which also checks `If-Match` and keeps
 * the answer of a request with a key (docs/rules.md § 29).
 */
export class Writes {
  readonly tags: Tags;
  readonly #records: Records;
  readonly #kept: KeptAnswers;

  constructor({ records, journal }: Pick<Context, 'records' | 'journal'>) {
    this.#records = records;
    this.tags = new Tags(records, journal);
    this.#kept = new KeptAnswers(records.database);
  }

  /**
   * Reserves the key of a request until its answer is sent; a request that is cut off is answered with
   * an error, too. Refuses a key whose request is under way.
   */
  reserveKey(request: FastifyRequest): void {
    const { utilisateur } = request.identity;
    const owner = readKey(request, utilisateur);
    if (owner === null) return;
    request.idempotency = { owner, release: this.#kept.reserve(owner) };
  }

  /** The answer kept for a request, once its body has been read; sent again as it was. */
  replay(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    if (request.idempotency === null) return undefined;
    const kept = this.#kept.find(request.idempotency.owner, fingerprintOf(request));
    if (kept === undefined) return undefined;
    void reply.code(kept.status).headers(kept.headers).header('Idempotency-Replayed', 'true');
    return kept.body === '' ? reply.send() : reply.type(JSON_TYPE).send(kept.body);
  }

  /** Runs an operation and returns what to answer with: its value, or JSON where this is kept. */
  run(write: Write, work: () => unknown): unknown {
    const owner = write.request.idempotency?.owner;
    try {
      return this.#records.database.write(() => {
        this.#requireUnchanged(write);
        const answer = this.#record(write, work);
        this.#describe(write, answer);
        return owner === undefined ? answer : this.#keep(owner, write, answer);
      });
    } catch (error) {
      if (owner !== undefined && isRefusal(error) && error.code === 'DOUBLON')
        this.#kept.keep(owner, keptRefusal(write.request, error));
      throw error;
    }
  }

  #requireUnchanged({ endpoint, request, reply, recordId }: Write): void {
    if (endpoint.record === undefined || endpoint.method === 'POST' || recordId === null) return;
    const { utilisateur } = request.identity;
    const { collection } = endpoint.record;
    this.tags.requireUnchanged(request, reply, { collection, utilisateur, id: recordId });
  }

  /** Runs the operation and keeps what it changes as one act, which its answer names. */
  #record({ endpoint, request, reply }: Write, work: () => unknown): unknown {
    const { utilisateur } = request.identity;
    const act = recording(this.#records, { endpoint, utilisateur }, work);
    if (act.modificationId !== null) reply.header('X-Modification', act.modificationId);
    return act.answer;
  }

  #describe({ endpoint, request, reply }: Write, answer: unknown): void {
    reply.header('X-Revision', this.#records.database.revision());
    const id = idOf(answer);
    if (endpoint.record === undefined || id === null) return;
    const { collection } = endpoint.record;
    this.tags.sendEtag(reply, { collection, utilisateur: request.identity.utilisateur, id });
  }

  #keep(owner: KeyOwner, { request, reply }: Write, answer: unknown): string {
    const body = answer === undefined ? '' : JSON.stringify(answer);
    this.#kept.keep(owner, {
      fingerprint: fingerprintOf(request),
      status: reply.statusCode,
      headers: headersOf(reply),
      body,
    });
    if (body !== '') reply.type(JSON_TYPE);
    return body;
  }
}

const fingerprintOf = ({ method, url, bodyBytes }: FastifyRequest): string =>
  fingerprint(method, url, bodyBytes);

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    KEPT_HEADERS.filter((name) => reply.hasHeader(name)).map((name) => [
      name,
      String(reply.getHeader(name)),
    ]),
  );

const keptRefusal = (request: FastifyRequest, refusal: Refusal): KeptAnswer => ({
  fingerprint: fingerprintOf(request),
  status: refusal.status,
  headers: {},
  body: JSON.stringify(errorBody(refusal)),
});
