import {
  textOf,
  type ChangeReader,
  type RecordCollection,
  type Row,
  type RowChange,
} from '#shared/change-reader';
import type { RecordKind } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import { ownerOf, ownerOfAll } from './traces.ts';

/** Reads what an operation changed for its sentence. */
export class Changed implements ChangeReader {
  readonly answer: Row;
  readonly #records: Records;
  readonly #net: readonly RowChange[];

  constructor(records: Records, changes: readonly RowChange[], answer: unknown) {
    this.#records = records;
    const owner = ownerOfAll(changes);
    this.#net = changes.filter(({ avant, apres }) => ownerOf(apres ?? avant) === owner);
    this.answer = typeof answer === 'object' && answer !== null ? { ...answer } : {};
  }

  name(collection: RecordCollection): string {
    const { source, naming }: RecordKind = this.#records.kind(collection);
    const [own] = this.rows(source.table);
    const column = naming?.column ?? 'id';
    if (own !== undefined) return textOf((own.apres ?? own.avant)?.[column]);
    const part = this.#net
      .map(({ table, avant, apres }) => this.#records.recordOf(table, apres ?? avant ?? {}))
      .find((record) => record?.collection === collection);
    return this.nameOf(collection, part?.id) || textOf(this.answer[column]);
  }

  deleted(collection: RecordCollection): string {
    const { source, naming }: RecordKind = this.#records.kind(collection);
    return this.rows(source.table)
      .filter(({ apres }) => apres === null)
      .map(({ avant }) => textOf(avant?.[naming?.column ?? 'id']))
      .join(', ');
  }

  nameOf(collection: RecordCollection, id: unknown): string {
    return this.#records.nameOf(collection, id) ?? '';
  }

  rows(table: string): readonly RowChange[] {
    return this.#net.filter((step) => step.table === table);
  }

  value(table: string, column: string): unknown {
    const [first] = this.rows(table);
    return (first?.apres ?? first?.avant ?? this.answer)[column];
  }
}
