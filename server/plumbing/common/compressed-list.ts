import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { parseStored } from './stored-json.ts';

/** Values of so many characters of JSON are compressed together. */
const BLOCK_LENGTH = 100_000;

/** Up to so many characters of JSON, some 20 MB of objects: packing and reading them again is a third of a dry run. */
const HELD_LENGTH = 8_000_000;

/** One of so many values is looked at for its length. */
const SAMPLED = 8;

/**
 * Values of JSON, of which there may be hundreds of thousands: they are walked through from first to last, as often as
 * wanted. Many of them are packed, and take a tenth of what they would as objects; few are held, and must not be changed.
 */
export class CompressedList<T> implements Iterable<T> {
  /** `null` once they are too many. */
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
    // A copy: zlib gives a view of a buffer that is many times as large.
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

  /** Walks the values for the last time: their memory is freed as the walk goes on, and the list is empty behind it. */
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
