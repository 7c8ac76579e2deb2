import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse, type Parser } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import type { Refusal } from '#shared/refusals';
import { withoutGuards } from '#server/plumbing/common/spreadsheet';
import { invalid } from './invalid.ts';

/** Longer than any review, in characters; in bytes with its separators, which the parser does not count. */
const MAX_RECORD_LENGTH = 1_000_000;

/** Of the beginning of a file, in characters: more is not read to know its header. */
const MAX_HEAD_LENGTH = 250_000;

/** Bytes parsed between two turns: some 2 ms where each is a row. */
const SLICE_BYTES = 4096;

/** Rows that are handed on, and planned, in one turn. */
const BATCH = 400;

const SEPARATORS = [',', ';', '\t', '|'] as const;

const options = (delimiter: string) => ({
  delimiter,
  // Texts that hold quotes without being quoted, and rows that are short of their last columns.
  relax_quotes: true,
  relax_column_count: true,
  max_record_size: MAX_RECORD_LENGTH,
});

/** The separator that stands most often in the first line, outside of quotes. */
export function findSeparator(head: string): string {
  const [line = ''] = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(head) ?? [];
  const outside = line.replace(/"(?:[^"]|"")*"/g, '');
  const counts = SEPARATORS.map((separator) => outside.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** How many rows below the header show what stands in a column. */
const SAMPLE_ROWS = 12;

/** The cells of the header, and of some rows below it as far as they can be read. Throws `FICHIER_INVALIDE`. */
export function readHead(head: string, separator: string): string[][] {
  // Looking for the end of the lines takes the parser a hundred times as long as reading one.
  const ends = { record_delimiter: ['\r\n', '\n', '\r'] };
  const read = (to: number) =>
    parseSync(head.slice(0, MAX_HEAD_LENGTH), { ...options(separator), ...ends, to }).map((cells) =>
      withoutGuards(cells).map((cell) => cell.trim()),
    );
  try {
    return read(1 + SAMPLE_ROWS);
  } catch {
    // A row that is cut where the head of the file ends says nothing about the header.
    try {
      return read(1);
    } catch (error) {
      throw toRefusal(error);
    }
  }
}

/** The records of a table, header included, in batches; between two of them others get a turn. */
export async function* csvRecords(
  pieces: AsyncIterable<string> | Iterable<string>,
  separator: string,
): AsyncGenerator<string[][]> {
  const parser: Parser = parse({
    ...options(separator),
    // For each row of another length than the first the parser makes an error, in 15 µs: here each is the first.
    on_record(row: string[]) {
      Object.assign(parser.info, { records: 0 });
      return row;
    },
  });
  let failure: unknown = null;
  parser.on('error', (error) => (failure = error));
  const taken = (): string[][] => {
    if (parser.errored !== null || failure !== null) throw toRefusal(parser.errored ?? failure);
    const records: string[][] = [];
    for (let next = read(); next !== null; next = read()) records.push(withoutGuards(next));
    return records;
  };
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- without columns, a record is the list of its cells
  const read = () => parser.read() as string[] | null;
  let batch: string[][] = [];
  let unread = 0;
  for await (const slice of slices(pieces)) {
    parser.write(slice);
    const records = taken();
    unread = records.length > 0 ? 0 : unread + slice.length;
    if (unread > MAX_RECORD_LENGTH) throw tooLong();
    batch.push(...records);
    if (batch.length >= BATCH) {
      yield batch;
      batch = [];
    }
    await nextTurn();
  }
  parser.end();
  await nextTurn();
  batch.push(...taken());
  yield batch;
}

/** As bytes: the parser puts together a character that is cut, a string would lose it. */
async function* slices(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    for (let start = 0; start < bytes.length; start += SLICE_BYTES)
      yield bytes.subarray(start, start + SLICE_BYTES);
  }
}

const tooLong = (): Refusal =>
  invalid('Une ligne est trop longue pour un livre : des guillemets manquent peut-être.');

function toRefusal(error: unknown): Refusal {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong();
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return invalid('Des guillemets s’ouvrent dans ce fichier et ne se referment pas.');
  return invalid('Ce fichier ne se lit pas comme une table.');
}
