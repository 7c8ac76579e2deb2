import { pipeline, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { inPieces } from '#server/plumbing/common/slices';
import { sendJson } from './mount.ts';
import { abortSlowClient } from './request.ts';

// Long lists, sent in pieces.

/** Sends a list that is made while it is read, each item in an event-loop turn of its own. */
export const sendItems = (reply: FastifyReply, items: Iterable<object>): FastifyReply =>
  sendPieces(reply, jsonOf(items));

const sendPieces = (reply: FastifyReply, pieces: Iterable<string | Buffer>): FastifyReply =>
  sendJson(
    reply,
    pipeline(Readable.from(inPieces(pieces), IN_BYTES), abortSlowClient(), () => undefined),
  );

const IN_BYTES = { objectMode: false, highWaterMark: 64 * 1024 };

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
const PIECE_BYTES = 500_000;

/** A document and the caller's own fields. */
type Row = readonly [document: object, ownFields: object];

function* piecesOf(rows: readonly Row[]): Generator<Buffer> {
  let parts: Buffer[] = [];
  let [bytes, opening] = [0, Buffer.from('[{')];
  for (const [document, ownFields] of rows) {
    const members = cachedMembersOf(document);
    if (bytes + members.length > PIECE_BYTES) {
      yield Buffer.concat(parts);
      [parts, bytes] = [[], 0];
    }
    parts.push(opening, members, Buffer.from(`,${membersOf(ownFields)}}`));
    [bytes, opening] = [bytes + members.length, NEXT];
  }
  yield Buffer.concat([...parts, Buffer.from(rows.length === 0 ? '[]' : ']')]);
}

const NEXT = Buffer.from(',{');

function isLong(rows: readonly Row[]): boolean {
  let bytes = 0;
  return rows.some(([document]) => (bytes += cachedMembersOf(document).length) > PIECE_BYTES);
}

/** Sends documents as one JSON list. Caching their bytes halves the duration. */
export const sendList = (reply: FastifyReply, rows: readonly Row[]): FastifyReply =>
  isLong(rows)
    ? sendPieces(reply, piecesOf(rows))
    : sendJson(reply, Buffer.concat([...piecesOf(rows)]));
