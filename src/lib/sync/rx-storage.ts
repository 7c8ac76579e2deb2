import { fillWithDefaultSettings } from 'rxdb/plugins/core';
import type {
  BulkWriteRow,
  RxDocumentData,
  RxJsonSchema,
  RxStorageInstance,
} from 'rxdb/plugins/core';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { Envelope } from './envelope.ts';
import type { Storage } from './ports.ts';

/** An envelope as RxDB keeps it. */
export type Row = RxDocumentData<Envelope>;

/** The one schema of every copy; RxDB does not look into the document of an envelope. */
export const envelopeSchema: RxJsonSchema<Row> = fillWithDefaultSettings<Envelope>({
  version: 0,
  primaryKey: 'key',
  type: 'object',
  properties: {
    key: { type: 'string', maxLength: 200 },
    kind: { type: 'string' },
    revision: { type: 'number' },
    document: {},
  },
  required: ['key', 'kind', 'revision'],
});

/** The parameters of an RxDB storage instance. */
export const instanceParams = (databaseName: string) => ({
  databaseName,
  databaseInstanceToken: databaseName,
  collectionName: 'envelopes',
  schema: envelopeSchema,
  options: {},
  multiInstance: false,
  devMode: false,
});

/** Reads the rows of an instance past RxDB's query language, which is left out. */
interface RowReader {
  /** Hands over all rows, the first screen's first. */
  all(receive: (rows: readonly Row[]) => Promise<void>): Promise<void>;
  one(key: string): Promise<Row | undefined>;
}

/**
 * The envelopes of one database in an RxDB storage. RxDB asks for the document that each write replaces,
 * and compares its key, its revision and whether it was deleted. These are kept here, because reading the
 * rows before each write makes writing a first copy a tenth slower and a single change a third.
 */
export class RxEnvelopes implements Storage {
  readonly #instance: RxStorageInstance<Envelope, unknown, unknown>;
  readonly #reader: RowReader;
  /** The rows that were read or written, by key: the revision plus one, negative for a deleted row. */
  readonly #known = new Map<string, number>();

  constructor(instance: RxStorageInstance<Envelope, unknown, unknown>, reader: RowReader) {
    this.#instance = instance;
    this.#reader = reader;
  }

  async read(receive: (envelopes: readonly Envelope[]) => Promise<void>): Promise<void> {
    await this.#reader.all((rows) => {
      for (const row of rows) this.#know(row);
      return receive(rows);
    });
  }

  async get(key: string): Promise<Envelope | null> {
    const row = await this.#reader.one(key);
    if (row === undefined) return null;
    this.#know(row);
    return row;
  }

  async write(envelopes: readonly Envelope[]): Promise<void> {
    const rows = envelopes.map((envelope): BulkWriteRow<Envelope> => {
      const { key, kind } = envelope;
      const document = rowOf(envelope);
      const known = this.#known.get(key);
      if (known === undefined) return { document };
      const previous = rowOf({ key, kind, revision: Math.abs(known) - 1, document: null });
      return { previous: { ...previous, _deleted: known < 0 }, document };
    });
    await this.#writeRows(rows);
    for (const { document } of rows) this.#know(document);
  }

  async close(): Promise<void> {
    await this.#instance.close();
  }

  /** Where another tab has written the same rows meanwhile, the later revision of each stays. */
  async #writeRows(rows: BulkWriteRow<Envelope>[]): Promise<void> {
    const { error } = await this.#instance.bulkWrite(rows, 'pull');
    const again: BulkWriteRow<Envelope>[] = [];
    for (const { status, writeRow, ...rest } of error) {
      const previous = unsafeCast<{ documentInDb?: Row }>(rest).documentInDb;
      if (status !== 409 || previous === undefined)
        throw new Error(`RxDB did not take ${writeRow.document.key}: ${String(status)}`);
      if (previous.revision <= writeRow.document.revision)
        again.push({ previous, document: writeRow.document });
    }
    if (again.length > 0) await this.#writeRows(again);
  }

  #know({ key, revision, _deleted }: Row): void {
    this.#known.set(key, _deleted ? -revision - 1 : revision + 1);
  }
}

/**
 * A row as it was written. A pack is kept as text: RxDB and the browser each copy every value of a
 * document before they write it, which holds up a slow phone (`npm run bench` measures the gain).
 */
export function unpacked<T extends Pick<Envelope, 'kind' | 'document'>>(row: T): T {
  const { kind, document } = row;
  if (kind !== 'pack' || document === null || !('text' in document)) return row;
  return { ...row, document: unsafeCast<object>(JSON.parse(String(document.text))) };
}

/** RxDB's own fields follow from the revision, so that two writes of one state are equal. */
const rowOf = ({ key, kind, revision, document }: Envelope): Row => ({
  key,
  kind,
  revision,
  document: kind === 'pack' && document !== null ? { text: JSON.stringify(document) } : document,
  _deleted: document === null,
  _rev: `${String(revision + 1)}-pull`,
  _meta: { lwt: revision + 1 },
  _attachments: {},
});
