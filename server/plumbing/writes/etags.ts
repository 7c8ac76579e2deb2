import type { RecordCollection } from '#shared/change-reader';
import { Refusal } from '#shared/refusals';
import type { Journal } from '#server/plumbing/records/journal';
import { ownersRead, type Records } from '#server/plumbing/records/records';
import type { Write } from './operations.ts';

interface RecordKey {
  readonly collection: RecordCollection;
  readonly id: number;
  readonly utilisateur: string | null;
}

/** docs/rules.md § 29 */
export class ETags {
  readonly #records: Records;
  readonly #journal: Journal;

  constructor(records: Records, journal: Journal) {
    this.#records = records;
    this.#journal = journal;
  }

  /** `undefined` without such a record. */
  of(key: RecordKey): string | undefined {
    const line = this.#line(key);
    return line === undefined || line.supprime ? undefined : formatTag(line.revision);
  }

  /** Throws `MODIFIE_ENTRETEMPS`. An unknown or foreign record passes, and is 404 later. */
  requireUnchanged(write: Pick<Write, 'operation' | 'utilisateur' | 'recordId' | 'ifMatch'>): void {
    const { utilisateur, recordId: id, ifMatch } = write;
    const { endpoint } = write.operation;
    const record = endpoint?.record;
    if (record === undefined || endpoint?.method === 'POST' || id === null || ifMatch === undefined)
      return;
    const { collection } = record;
    const line = this.#line({ collection, utilisateur, id });
    if (line === undefined || (!line.supprime && namesState(ifMatch, line))) return;
    const actuel = line.supprime ? null : this.#records.read(collection, id, utilisateur);
    throw new Refusal('MODIFIE_ENTRETEMPS', { actuel: actuel ?? null });
  }

  #line({ collection, utilisateur, id }: RecordKey) {
    const lines = ownersRead(collection, utilisateur).flatMap(
      (owner) => this.#journal.revisionOf(collection, owner, id) ?? [],
    );
    return lines.find(({ supprime }) => !supprime) ?? lines[0];
  }
}

export function idOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'number' ? value.id : null;
}

const formatTag = (revision: number): string => `"${String(revision)}"`;

/** A comma-separated list of tags, by § 13.1.1 and § 8.8.3 of RFC 9110. */
const TAGS = /^(?:[ \t,]|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?=[ \t]*(?:,|$)))*$/;

/**
 * Whether `If-Match` or `If-None-Match` contains a tag, or `*`. Weak tags count as strong: a compressing proxy
 * weakens ours. A malformed list contains none.
 */
export const namesTag = (header: string, tag: string): boolean =>
  names(header, (each) => each === tag);

/** An automatic cover moves the tag, but is no change of the state that `If-Match` names. */
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
