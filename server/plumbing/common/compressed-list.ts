import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { parseStored } from './stored-json.ts';

/** The length of JSON that is compressed as one block. */
const BLOCK_LENGTH = 100_000;

/**
 * Values are compressed above this length of JSON (some 20 MB of objects): compressing and reading takes a third of a
 * dry run.
 */
const HELD_LENGTH = 8_000_000;

/** The sampling interval for the estimated length: every eighth value is measured. */
const SAMPLED = 8;

/**
 * A list of JSON values that may have hundreds of thousands: iterated from first to last, any number of times. A long
 * list is compressed to a tenth of its memory; a short one holds the values themselves, which must not be changed.
 */
export class CompressedList<T> implements Iterable<T> {
  /** The values themselves; `null` once compressed. */
  #plain: T[] | null = [];
  #heldLength = 0;
  #blocks: Buffer[] = [];
  #lines: string[] = [];
  #length = 0;
  #openLength = 0;

  get length(): number {
    return this.#length;
  }

  push(value: T): void {
    this.#length++;
    if (this.#plain === null) {
      this.#pack(value);
      return;
    }
    this.#plain.push(value);
    if (this.#length % SAMPLED !== 1) return;
    this.#heldLength += SAMPLED * JSON.stringify(value).length;
    if (this.#heldLength <= HELD_LENGTH) return;
    const plain = this.#plain;
    this.#plain = null;
    for (const each of plain) this.#pack(each);
  }

  #pack(value: T): void {
    const line = JSON.stringify(value);
    this.#lines.push(line);
    this.#openLength += line.length;
    if (this.#openLength < BLOCK_LENGTH) return;
    // Copied, since zlib returns a view of a buffer many times as large.
    this.#blocks.push(Buffer.from(zstdCompressSync(this.#lines.join('\n'))));
    this.#lines = [];
    this.#openLength = 0;
  }

  *[Symbol.iterator](): Generator<T> {
    if (this.#plain !== null) {
      yield* this.#plain;
      return;
    }
    for (const block of this.#blocks) yield* unpacked<T>(block);
    for (const line of this.#lines) yield parseStored<T>(line);
  }

  /** Iterates for the last time: memory is freed meanwhile, and the list is empty afterwards. */
  *drain(): Generator<T> {
    const [plain, blocks, lines] = [this.#plain, this.#blocks, this.#lines];
    [this.#plain, this.#blocks, this.#lines] = [[], [], []];
    this.#length = this.#heldLength = this.#openLength = 0;
    if (plain !== null) yield* plain;
    blocks.reverse();
    for (let block = blocks.pop(); block !== undefined; block = blocks.pop())
      yield* unpacked<T>(block);
    for (const line of lines) yield parseStored<T>(line);
  }
}

function* unpacked<T>(block: Buffer): Generator<T> {
  for (const line of zstdDecompressSync(block).toString().split('\n')) yield parseStored<T>(line);
}
