import { pipeline, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { inPieces } from '#server/plumbing/common/slices';
import { sendJson } from './mount.ts';
import { abortSlowClient } from './request.ts';

// Long lists, sent in pieces.

/** Sends a list that is made while it is read, each item in an event-loop turn of its own. */
export const sendItems = (reply: FastifyReply, items: Iterable<object>): FastifyReply =>
  sendJson(
    reply,
    pipeline(Readable.from(inPieces(jsonOf(items)), IN_BYTES), abortSlowClient(), () => undefined),
  );

function* jsonOf(items: Iterable<object>): Generator<string> {
  let opening = '[';
  for (const item of items) {
    yield opening + JSON.stringify(item);
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}

// Lists of documents in memory, each with fields of the caller's own. A row is one JSON
// object in two parts; the document's part is cached.

/** The members of an object as JSON, without its braces: `"id":1,"titre":"…"`. */
export const membersOf = (object: object): string =>
  Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',');

/** The members of documents. A document is replaced, never changed, so they stay valid. */
const kept = new WeakMap<object, Buffer>();

function cachedMembersOf(document: object): Buffer {
  let members = kept.get(document);
  if (members === undefined) {
    members = Buffer.from(membersOf(document));
    kept.set(document, members);
  }
  return members;
}

/** Longer lists are produced while they are read: sixty unread ones would take gigabytes. */
const PIECE_ROWS = 500;

/** A document and the caller's own fields. */
type Row = readonly [document: object, ownFields: object];

function* piecesOf(rows: readonly Row[]): Generator<Buffer> {
  let opening = Buffer.from('[{');
  for (let start = 0; start < rows.length; start += PIECE_ROWS) {
    const parts: Buffer[] = [];
    for (const [document, ownFields] of rows.slice(start, start + PIECE_ROWS)) {
      parts.push(opening, cachedMembersOf(document), Buffer.from(`,${membersOf(ownFields)}}`));
      opening = NEXT;
    }
    yield Buffer.concat(parts);
  }
  yield Buffer.from(rows.length === 0 ? '[]' : ']');
}

const NEXT = Buffer.from(',{');

/** Sends documents as one JSON list. Caching their bytes halves the duration. */
export function sendList(reply: FastifyReply, rows: readonly Row[]): FastifyReply {
  const pieces = piecesOf(rows);
  if (rows.length <= PIECE_ROWS) return sendJson(reply, Buffer.concat([...pieces]));
  return sendJson(
    reply,
    pipeline(Readable.from(pieces, IN_BYTES), abortSlowClient(), () => undefined),
  );
}

const IN_BYTES = { objectMode: false, highWaterMark: 64 * 1024 };
