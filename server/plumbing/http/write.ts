import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isHouseholds, keyHeaderOf, type Endpoint } from '#shared/endpoint';
import { champRefusal } from '#shared/refusals';
import { isRefusal } from '#server/plumbing/common/error-body';
import { idOf } from '#server/plumbing/writes/tags';
import { fingerprint, type KeyOwner } from '#server/plumbing/writes/keys';
import { requireUnchanged, type Write } from '#server/plumbing/writes/perform';
import type { Writes } from '#server/plumbing/writes/writes';
import type { Exchange } from './call.ts';

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

/** A write as it was asked for; it still has to be said what it does. */
export function toWrite(
  { request, reply }: Exchange,
  endpoint: Endpoint,
  recordId = idOf(request.params),
): Omit<Write, 'run' | 'long'> {
  const { utilisateur } = request.identity;
  return {
    endpoint,
    utilisateur,
    actor: isHouseholds(endpoint, request.body) ? null : utilisateur,
    recordId,
    ifMatch: request.headers['if-match'],
    key: keyOf(request),
    sent: () => ({ status: reply.statusCode, headers: ownHeaders(reply) }),
  };
}

/** Performs a write in its turn and answers with its value, or with JSON where this is kept. */
export async function answerWrite(
  writes: Writes,
  { request, reply }: Exchange,
  write: Write,
): Promise<unknown> {
  const { answer, status, headers, body } = await tellingTag(writes, reply, write, () =>
    // Asked for here only: made while a body still comes, it would be aborted by the end of that.
    writes.inTurn({ ...write, signal: request.signal }, request.readmit),
  );
  reply.code(status).headers(headers);
  if (body) reply.type(JSON_TYPE);
  return body ?? answer;
}

/** Refuses a write whose `If-Match` does not hold now; its transaction looks again. */
export const requireUnchangedNow = (
  writes: Writes,
  reply: FastifyReply,
  write: Omit<Write, 'run' | 'long'>,
): Promise<void> => tellingTag(writes, reply, write, () => requireUnchanged(writes.tags, write));

/** Sends the record's tag along with the refusal of an `If-Match`. */
async function tellingTag<T>(
  writes: Writes,
  reply: FastifyReply,
  { endpoint, utilisateur, recordId }: Omit<Write, 'run' | 'long'>,
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
