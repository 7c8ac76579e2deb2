import { invalid, raison } from '#server/plumbing/common/raisons';
import { decoderOf, olderNormOf, type Declared } from './marc-encodings.ts';
import { tooFull } from './record-builder.ts';

// ISO 2709: library records as bytes (docs/rules.md § 35).

export interface MarcField {
  readonly tag: string;
  /** The text of a control field; `''` for any other. */
  readonly value: string;
  readonly subfields: readonly (readonly [code: string, value: string])[];
}

export type MarcRecord = readonly MarcField[];

/** A record of a file; `null` if its directory is invalid. */
export interface ReadRecord {
  readonly record: MarcRecord | null;
  /** Whether its accents were read by an older norm. */
  readonly isOlder: boolean;
}

const LEADER_BYTES = 24;
const LEADER = /^\d{5}[a-z][a-z ]{2}[\da-z ]{2}\d\d/;
const ENTRY_BYTES = 12;
/** Ten times the largest length that a record can declare. */
const MAX_RECORD_BYTES = 1_000_000;
const FIELD_END = 0x1e;
const RECORD_END = 0x1d;
const SUBFIELD = '\x1f';

export function isIso2709(start: string, bytes: Buffer): boolean {
  return LEADER.test(start) && bytes.subarray(0, 100_000).includes(FIELD_END);
}

/** Signs that part an article from a title, for sorting. */
export const cleanValue = (text: string): string =>
  text.replace(/[\u0088\u0089\u0098\u009c]|\u001b[HI]/g, '').trim();

/** Throws `FICHIER_INVALIDE` if the last record is truncated, or one has no directory. */
export function* recordsOfBytes(bytes: Buffer): Generator<ReadRecord> {
  let norm: ReturnType<typeof olderNormOf> | undefined;
  for (let start = 0; start < bytes.length;) {
    while (start < bytes.length && (bytes[start] ?? 0) <= 0x20) start++;
    if (start >= bytes.length) break;
    const end = bytes.indexOf(RECORD_END, start);
    if (end === -1) throw invalid(raison('marcCoupe'));
    if (end - start > MAX_RECORD_BYTES) throw tooFull();
    yield readRecord(bytes.subarray(start, end), () => (norm ??= olderNormOf(bytes)));
    start = end + 1;
  }
}

interface RawField {
  readonly tag: string;
  readonly bytes: Buffer;
}

function readRecord(bytes: Buffer, normOfFile: () => ReturnType<typeof olderNormOf>): ReadRecord {
  const fields = fieldsOf(bytes);
  if (fields === null) return { record: null, isOlder: false };
  const { decode, isOlder } = decoderOf(
    bytes.subarray(LEADER_BYTES),
    declaredOf(bytes, fields),
    normOfFile,
  );
  return { record: fields.map((field) => toField(field.tag, decode(field.bytes))), isOlder };
}

function toField(tag: string, text: string): MarcField {
  const [first = '', ...parts] = text.split(SUBFIELD);
  return {
    tag,
    value: parts.length === 0 ? first : '',
    subfields: parts.map((part) => [part.slice(0, 1), cleanValue(part.slice(1))] as const),
  };
}

const numberAt = (bytes: Buffer, from: number, to: number): number => {
  const digits = bytes.toString('latin1', from, to);
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
};

interface Entry {
  readonly tag: string;
  readonly from: number;
  readonly length: number;
}

/**
 * The fields by the record's directory. If its lengths count characters instead of bytes, the fields are split at
 * their end marks, if there are as many. `null` if neither works, or entries overlap.
 */
function fieldsOf(bytes: Buffer): RawField[] | null {
  const directoryEnd = bytes.indexOf(FIELD_END, LEADER_BYTES);
  const base = numberAt(bytes, 12, 17);
  if (directoryEnd === -1 || Number.isNaN(base) || base > bytes.length)
    throw invalid(raison('marcAbime'));
  const entries = readDirectory(bytes.subarray(LEADER_BYTES, directoryEnd));
  if (entries === null) return null;
  const data = bytes.subarray(base);
  const places = entries.map((_, at) => at);
  places.sort((a, b) => (entries[a]?.from ?? 0) - (entries[b]?.from ?? 0));
  return (
    byLengths(entries, places, data) ?? byMarks(entries, places, bytes.subarray(directoryEnd + 1))
  );
}

function readDirectory(bytes: Buffer): Entry[] | null {
  const entries: Entry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    const [length, from] = [numberAt(bytes, at + 3, at + 7), numberAt(bytes, at + 7, at + 12)];
    if (Number.isNaN(length) || Number.isNaN(from)) return null;
    entries.push({ tag: bytes.toString('latin1', at, at + 3), from, length });
  }
  return entries;
}

/** `null` unless each entry ends with a field's end mark, contains no other, and overlaps none. */
function byLengths(
  entries: readonly Entry[],
  places: readonly number[],
  data: Buffer,
): RawField[] | null {
  let free = 0;
  for (const place of places) {
    const { from, length } = entries[place] ?? { from: -1, length: 0 };
    const end = from + length - 1;
    if (from < free || length < 1 || data.indexOf(FIELD_END, from) !== end) return null;
    free = end + 1;
  }
  return entries.map(({ tag, from, length }) => ({
    tag,
    bytes: data.subarray(from, from + length - 1),
  }));
}

function byMarks(
  entries: readonly Entry[],
  places: readonly number[],
  data: Buffer,
): RawField[] | null {
  const pieces: Buffer[] = [];
  for (let at = 0; at < data.length && pieces.length <= entries.length;) {
    const end = data.indexOf(FIELD_END, at);
    if (end === -1) break;
    pieces.push(data.subarray(at, end));
    at = end + 1;
  }
  const distinct = new Set(entries.map(({ from }) => from));
  if (pieces.length !== entries.length || distinct.size !== entries.length) return null;
  const fields: RawField[] = [];
  places.forEach((place, rank) => {
    fields[place] = { tag: entries[place]?.tag ?? '', bytes: pieces[rank] ?? Buffer.alloc(0) };
  });
  return fields;
}

/** MARC21 declares its encoding in the leader; UNIMARC in field 100, from position 26 on. */
function declaredOf(bytes: Buffer, fields: readonly RawField[]): Declared | null {
  const isUnimarc =
    fields.some(({ tag }) => tag === '200') && !fields.some(({ tag }) => tag === '245');
  if (!isUnimarc) return bytes[9] === 0x61 ? 'utf8' : 'marc8';
  const coded = fields.find(({ tag }) => tag === '100')?.bytes.toString('latin1') ?? '';
  const [, , sets] = /\x1fa(.{26})(..)/s.exec(coded) ?? [];
  if (sets === '50') return 'utf8';
  return sets === '03' || sets === '01' ? 'iso5426' : null;
}
