import { crc32, deflateRawSync } from 'node:zlib';

/** A zip of one deflated file. `said`: how long it claims to be. */
export function zipOf(name: string, content: Buffer, said = content.length): Buffer {
  const data = deflateRawSync(content);
  const entry = Buffer.alloc(26);
  entry.writeUInt16LE(20, 0);
  entry.writeUInt16LE(8, 4);
  entry.writeUInt32LE(crc32(content), 10);
  entry.writeUInt32LE(data.length, 14);
  entry.writeUInt32LE(said, 18);
  entry.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), entry, Buffer.from(name), data]);
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\0'),
    entry,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
