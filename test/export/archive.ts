import { crc32, deflateRawSync } from 'node:zlib';
import { EXPORT_HEAD, EXPORT_VERSION, type ExportKind } from '#shared/export';

/** An entry of a handmade zip: its content, and its header's claims. */
export interface HandMade {
  readonly name: string;
  readonly content: Buffer;
  readonly flags?: number;
  readonly crc?: number;
  /** The claimed uncompressed length. */
  readonly length?: number;
  /** Refers to the previous entry's bytes instead of its own. */
  readonly isShared?: boolean;
}

/** A zip whose headers may be wrong. */
export function zipOf(files: readonly HandMade[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  let last = 0;
  for (const file of files) {
    const { name, content, flags = 0, crc = crc32(content), length = content.length } = file;
    const packed = deflateRawSync(content);
    const bytes = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc, 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(length, 18);
    shared.writeUInt16LE(bytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, bytes, packed]);
    const end = Buffer.alloc(14);
    if (file.isShared !== true) last = offset;
    end.writeUInt32LE(last, 10);
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), shared, end, bytes]));
    if (file.isShared === true) continue;
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const tail = Buffer.alloc(22);
  tail.write('PK\x05\x06', 'latin1');
  tail.writeUInt16LE(files.length, 8);
  tail.writeUInt16LE(files.length, 10);
  tail.writeUInt32LE(directory.length, 12);
  tail.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, tail]);
}

/** The records of an export by kind; omitted fields are empty. */
type Records = Readonly<Partial<Record<ExportKind, readonly unknown[]>>>;

/** The head of an export with these records. */
export const headOf = (records: Records): object => ({
  application: 'rayonnage',
  kind: 'export',
  version: EXPORT_VERSION,
  date: '2026-01-01T00:00:00.000Z',
  utilisateur: 'ana',
  counts: Object.fromEntries(Object.entries(records).map(([kind, { length }]) => [kind, length])),
});

/** The files of an export with these records; `head` overrides parts of its head. */
export const filesOf = (records: Records, head: object = {}): HandMade[] => [
  { name: EXPORT_HEAD, content: json({ ...headOf(records), ...head }) },
  ...Object.entries(records).map(([kind, values]) => ({
    name: `json/${kind}.json`,
    content: json(values),
  })),
];

/** An export with these records. */
export const archiveOf = (records: Records, head: object = {}): Buffer =>
  zipOf(filesOf(records, head));

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
