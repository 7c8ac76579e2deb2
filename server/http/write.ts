import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { keyHeaderOf, type Endpoint } from '#shared/endpoint';
import { champRefusal } from '#shared/refusals';
import type { Transaction } from '#server/database/transaction';
import { isRefusal } from '#server/domain/error-body';
import { fingerprint, type KeyOwner } from '#server/writes/keys';
import type { Write } from '#server/writes/write';
import type { LongCall, Writes } from '#server/writes/writes';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The visible characters of ASCII. */
const KEY = /^[\x21-\x7e]{1,200}$/;

/**
 * The owner and the text of a write's key, `null` without the header. Throws `REQUETE_INVALIDE` for one
 * that is empty, too long or holds a blank (docs/rules.md § 29).
 */
function readKey(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  utilisateur: string | null,
): KeyOwner | null {
  const name = keyHeaderOf(method ?? '');
  const header = headers[name.toLowerCase()];
  if (header === undefined) return null;
  const key = [header].flat().join(' ');
  if (!KEY.test(key)) throw champRefusal(name, 'compte de 1 à 200 caractères visibles');
  return { utilisateur: utilisateur ?? '', key };
}

/**
 * Reserves the key of a request until its answer is sent; a request that is cut off is answered with
 * an error, too. Refuses a key whose request is under way.
 */
export function reserveKey({ keys }: Writes, request: FastifyRequest): void {
  const owner = readKey(request, request.identity.utilisateur);
  if (owner !== null) request.idempotency = { owner, release: keys.reserve(owner) };
}

/** Reads a streamed file to its end where an answer is kept under its key: to this one, or to another. */
export async function readForReplay({ keys }: Writes, request: FastifyRequest): Promise<void> {
  const { idempotency, bodyStream } = request;
  if (idempotency !== null && bodyStream !== null && keys.has(idempotency.owner))
    await finished(bodyStream.resume());
}

/** The answer kept for a request, once its body has been read; sent again as it was. */
export function replay(
  { keys }: Writes,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (request.bodyStream?.readableEnded === false) return undefined;
  const key = keyOf(request);
  const kept = key === null ? undefined : keys.find(key.owner, key.fingerprint);
  if (kept === undefined) return undefined;
  void reply.code(kept.status).headers(kept.headers).header('Idempotency-Replayed', 'true');
  return kept.body === '' ? reply.send() : reply.type(JSON_TYPE).send(kept.body);
}

/** A request to an operation that writes, and the record that its `If-Match` speaks of. */
interface WriteCall {
  readonly endpoint: Endpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly recordId: number | null;
}

/** Runs an operation and answers with its value, or with JSON where this is kept. */
export function runWrite(
  writes: Writes,
  call: WriteCall,
  work: ((tx: Transaction) => unknown) | LongCall,
): Promise<unknown> {
  const { request, reply } = call;
  const sent = () => ({ status: reply.statusCode, headers: ownHeaders(reply) });
  return tellingTag(writes, call, async (write) => {
    const { answer, headers, body } = await writes.inTurn(
      { ...write, key: keyOf(request) },
      typeof work === 'function' ? (tx) => ({ answer: work(tx), ...sent() }) : work,
      sent(),
      request.readmit,
    );
    reply.headers(headers);
    if (body) reply.type(JSON_TYPE);
    return body ?? answer;
  });
}

/** Refuses a call whose `If-Match` does not hold now; `runWrite` looks again, in its transaction. */
export const requireUnchanged = (writes: Writes, call: WriteCall): Promise<void> =>
  tellingTag(writes, call, (write) => writes.requireUnchanged(write));

/** Sends the record's tag along with the refusal of an `If-Match`. */
async function tellingTag<T>(
  writes: Writes,
  { endpoint, request, reply, recordId }: WriteCall,
  work: (write: Omit<Write, 'key'>) => T,
): Promise<Awaited<T>> {
  const { utilisateur } = request.identity;
  try {
    return await work({ endpoint, utilisateur, recordId, ifMatch: request.headers['if-match'] });
  } catch (error) {
    if (isRefusal(error) && error.code === 'MODIFIE_ENTRETEMPS' && recordId !== null)
      sendTag(writes, endpoint, reply, { utilisateur, id: recordId });
    throw error;
  }
}

/** Sends the tag of the record of an answer; none where the record is not there. */
export function sendTag(
  { tags }: Writes,
  { record }: Endpoint,
  reply: FastifyReply,
  key: { readonly utilisateur: string | null; readonly id: number },
): string | undefined {
  const tag = record && tags.of({ ...record, ...key });
  if (tag !== undefined) reply.header('ETag', tag);
  return tag;
}

const keyOf = ({ idempotency, method, url, bodyBytes, bodyHash }: FastifyRequest) =>
  idempotency && {
    owner: idempotency.owner,
    fingerprint: fingerprint(method, url, bodyBytes ?? bodyHash?.copy().digest() ?? null),
  };

/** What an operation says of its answer itself. */
const ownHeaders = (reply: FastifyReply): Record<string, string> =>
  reply.hasHeader('Location') ? { Location: String(reply.getHeader('Location')) } : {};
