import { readdirSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { chunk } from '../../support/png.ts';
import type { Context } from '#server/start/context';

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';
}

/** A picture of one colour, by default a JPEG. */
export const picture = (
  colour: string,
  { width = 300, height = 450, format = 'jpeg' }: Partial<Shape> = {},
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .toFormat(format)
    .toBuffer();

/** A picture with so much detail that no encoder makes it small. */
export function noise(width: number, height: number): Promise<Buffer> {
  const data = randomBytes(width * height * 3);
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

/** A photograph taken upright: stored rotated, with its orientation and a position in its EXIF. */
export const photograph = (): Promise<Buffer> =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: '#204060' } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Copyright: 'Secret' }, IFD3: { GPSLatitude: '48/1 51/1 0/1' } })
    .jpeg()
    .toBuffer();

interface Hollow {
  readonly width: number;
  readonly height: number;
  readonly depth?: 8 | 16;
  readonly isInterlaced?: boolean;
}

/** The most pixel data that a hollow picture contains; the rest of the declared size is missing. */
const MAX_HOLLOW_BYTES = 60_000_000;

/** A small PNG of black pixels. */
export function hollowPng({ width, height, depth = 8, isInterlaced = false }: Hollow): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, 2, 0, 0, isInterlaced ? 1 : 0], 8);
  const pixels = height * (1 + (width * 3 * depth) / 8);
  const data = deflateSync(Buffer.alloc(Math.min(pixels, MAX_HOLLOW_BYTES)), { level: 1 });
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An animation of three frames: red, green, blue. */
export async function animated(): Promise<Buffer> {
  const frames = await Promise.all(
    ['#ff0000', '#00ff00', '#0000ff'].map((colour) => picture(colour, { format: 'png' })),
  );
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** A picture in CMYK. */
export const cmyk = (): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 90, channels: 3, background: '#c02020' } })
    .toColorspace('cmyk')
    .jpeg()
    .toBuffer();

/** The files of a folder of covers, without the one that names its database. */
export const pictureFiles = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name !== 'bibliotheque.txt');

/** The keys of all pictures in the database. */
export const keptKeys = ({ database }: Pick<Context, 'database'>): string[] =>
  database
    .prepare<[], { cle: string }>('SELECT cle FROM Couverture ORDER BY cle')
    .all()
    .map(({ cle }) => cle);
