import type { FastifyReply } from 'fastify';

/** The JSON of documents without its last brace, for as long as they are there: one is replaced, never changed. */
const known = new WeakMap<object, Buffer>();

/**
 * Sends documents as one JSON list, each with fields of the caller's own behind its own. The JSON of the documents is
 * kept in bytes: to make and to encode it takes half of the time of an answer.
 */
export function sendList<D extends object>(
  reply: FastifyReply,
  documents: readonly D[],
  ownFields: (document: D) => object,
): FastifyReply {
  const parts = documents.flatMap((document, index) => {
    const own = JSON.stringify(ownFields(document)).replace('{', ',');
    const end = index === documents.length - 1 ? '' : ',';
    return [headOf(document), Buffer.from(own + end)];
  });
  const list = Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
  return reply.type('application/json; charset=utf-8').send(list);
}

function headOf(document: object): Buffer {
  const kept = known.get(document);
  if (kept !== undefined) return kept;
  const head = Buffer.from(JSON.stringify(document).slice(0, -1));
  known.set(document, head);
  return head;
}
