import { crc32, deflateRawSync } from 'node:zlib';

/** A zip with one deflated file. `said`: the length that its header claims. */
export const zipOf = (name: string, content: Buffer, said = content.length): Buffer =>
  zipOfMany([{ name, content, said }]);

interface ZippedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly said?: number;
}

/** A zip with deflated files, whose names are ASCII or UTF-8. */
export function zipOfMany(files: readonly ZippedFile[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const { name, content, said = content.length } of files) {
    const [data, path] = [deflateRawSync(content), Buffer.from(name)];
    const entry = Buffer.alloc(26);
    entry.writeUInt16LE(20, 0);
    entry.writeUInt16LE(0x0800, 2);
    entry.writeUInt16LE(8, 4);
    entry.writeUInt32LE(crc32(content), 10);
    entry.writeUInt32LE(data.length, 14);
    entry.writeUInt32LE(said, 18);
    entry.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), entry, path, data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    locals.push(local);
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), entry, place, path]));
    at += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, central, end]);
}
