import type { RecordCollection } from '#shared/change-reader';
import { collections } from '#shared/collections';
import { Refusal } from '#shared/refusals';
import type { Journal } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';

/** One record, and for whom. */
interface RecordKey {
  readonly collection: RecordCollection;
  readonly id: number;
  readonly utilisateur: string | null;
}

/** The tags of records, and what `If-Match` asks of them (docs/rules.md § 29). */
export class Tags {
  readonly #records: Records;
  readonly #journal: Journal;

  constructor(records: Records, journal: Journal) {
    this.#records = records;
    this.#journal = journal;
  }

  /** The tag of a record; `undefined` where the record is not there. */
  of(key: RecordKey): string | undefined {
    const line = this.#line(key);
    return line === undefined || line.supprime ? undefined : formatTag(line.revision);
  }

  /**
   * Refuses `MODIFIE_ENTRETEMPS` when the record is not in the state that `If-Match` names. To be
   * called in the transaction that writes. An id that never was, and another's record, pass: the
   * operation answers 404.
   */
  requireUnchanged(ifMatch: string, key: RecordKey): void {
    const line = this.#line(key);
    if (line === undefined || (!line.supprime && namesState(ifMatch, line))) return;
    const { collection, id, utilisateur } = key;
    const actuel = line.supprime ? null : this.#records.read(collection, id, utilisateur);
    throw new Refusal('MODIFIE_ENTRETEMPS', { actuel: actuel ?? null });
  }

  #line({ collection, utilisateur, id }: RecordKey) {
    const owner = collections[collection].personal ? (utilisateur ?? '') : '';
    return this.#journal.revisionOf(collection, owner, id);
  }
}

/** The `id` of an answer or of a path's parameters, if it has one. */
export function idOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'number' ? value.id : null;
}

/** The tag of a record: the revision of its line in the journal. */
const formatTag = (revision: number): string => `"${String(revision)}"`;

/** A list of tags, separated by commas, as RFC 9110 has it in § 13.1.1 and § 8.8.3. */
const TAGS = /^(?:[ \t,]|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?=[ \t]*(?:,|$)))*$/;

/**
 * True when an `If-Match` or `If-None-Match` header names a tag, or any tag by `*`. A weak tag counts
 * like a strong one: it is what a compressing proxy makes of ours. What is no list of tags names none.
 */
export const namesTag = (header: string, tag: string): boolean =>
  names(header, (each) => each === tag);

/**
 * True when an `If-Match` header names a state of a record that nobody has changed since: a cover that came by
 * itself moves the tag, and is no change of the record.
 */
const namesState = (
  header: string,
  { revision, version }: { readonly revision: number; readonly version: number },
): boolean =>
  names(header, (tag) => {
    const named = Number(tag.slice(1, -1));
    return formatTag(named) === tag && version <= named && named <= revision;
  });

const names = (header: string, isMeant: (tag: string) => boolean): boolean =>
  header.trim() === '*' ||
  (TAGS.test(header) && Array.from(header.matchAll(/"[^"]*"/g), ([each]) => each).some(isMeant));
