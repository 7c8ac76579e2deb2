import type { FastifyReply, FastifyRequest } from 'fastify';
import { collections } from '#shared/collections';
import type { RecordCollection } from '#shared/change-reader';
import { Refusal } from '#shared/refusals';
import type { RecordKind } from '#server/records/kind';
import type { Records } from '#server/records/records';
import type { Journal } from '#server/sync/journal';

/** One record, and for whom. */
interface RecordKey {
  readonly collection: RecordCollection;
  readonly id: number;
  readonly utilisateur: string | null;
}

/** The tags of records, and the preconditions of requests that name them (docs/rules.md § 29). */
export class Tags {
  readonly #records: Records;
  readonly #journal: Journal;

  constructor(records: Records, journal: Journal) {
    this.#records = records;
    this.#journal = journal;
  }

  /** Sends the tag of a record with the answer; none where the record is not there. */
  sendEtag(reply: FastifyReply, key: RecordKey): void {
    const line = this.#line(key);
    if (line !== undefined && !line.supprime) reply.header('ETag', formatEtag(line.revision));
  }

  /**
   * Refuses `MODIFIE_ENTRETEMPS` when the record is not in the state that `If-Match` names; the
   * answer then carries the present tag. To be called in the transaction that writes. An id that
   * never was, and another's record, pass: the operation answers 404.
   */
  requireUnchanged(request: FastifyRequest, reply: FastifyReply, key: RecordKey): void {
    const header = request.headers['if-match'];
    const line = header === undefined ? undefined : this.#line(key);
    if (header === undefined || line === undefined) return;
    if (line.supprime) throw new Refusal('MODIFIE_ENTRETEMPS', { actuel: null });
    if (namesEtag(header, formatEtag(line.revision))) return;
    this.sendEtag(reply, key);
    throw new Refusal('MODIFIE_ENTRETEMPS', { actuel: this.#read(key) });
  }

  /** True when the caller has the answer already, as `If-None-Match` says and the tag confirms. */
  isKnown(request: FastifyRequest, reply: FastifyReply): boolean {
    const header = request.headers['if-none-match'];
    const etag = reply.getHeader('ETag');
    return header !== undefined && etag !== undefined && namesEtag(header, String(etag));
  }

  #line({ collection, utilisateur, id }: RecordKey) {
    const owner = collections[collection].personal ? (utilisateur ?? '') : '';
    return this.#journal.revisionOf(collection, owner, id);
  }

  #read({ collection, utilisateur, id }: RecordKey): object | null {
    const { read }: RecordKind = this.#records.kind(collection);
    return read?.(this.#records.database, id, utilisateur) ?? null;
  }
}

/** The `ETag` of a record: the revision of its line in the journal. */
const formatEtag = (revision: number): string => `"${String(revision)}"`;

/** A list of tags, separated by commas, as RFC 9110 has it in § 13.1.1 and § 8.8.3. */
const ETAGS = /^(?:[ \t,]|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?=[ \t]*(?:,|$)))*$/;

/**
 * True when an `If-Match` or `If-None-Match` header names a tag, or any tag by `*`. A weak tag counts
 * like a strong one: it is what a compressing proxy makes of ours. What is no list of tags names none.
 */
const namesEtag = (header: string, etag: string): boolean =>
  header.trim() === '*' ||
  (ETAGS.test(header) && Array.from(header.matchAll(/"[^"]*"/g), ([tag]) => tag).includes(etag));
