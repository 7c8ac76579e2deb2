import { createHash } from 'node:crypto';
import sharp from 'sharp';
import {
  DotPicture,
  typeByContent,
  UnreadablePicture,
  type DecodingResults,
  type Picture,
} from './image.ts';

/** Limits for the pixels in all, and for one side. */
const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 16_384;
const MAX_DECODED_BYTES = 320_000_000;
/** Measured, for decoders that hold the whole picture in memory. */
const BYTES_A_PIXEL: Readonly<Record<string, number>> = { gif: 6, webp: 6, heif: 25 };
/** For decoders that hold the whole picture in memory only if it is interlaced or progressive. */
const BYTES_A_PIXEL_INTERLACED: Readonly<Record<string, number>> = { jpeg: 6, png: 10 };
/** Some sources send such a tiny picture instead of none. */
const DOT_SIDE = 10;
/** The largest size of a person's stored photograph. */
const KEPT = { width: 1600, height: 2400 } as const;
/** Covers twice the 44 × 66 px of a row, for screens of two pixels each; the longer side sticks out. */
const ROW = { width: 88, height: 132 } as const;
const PAGE = { width: 480, height: 1440 } as const;
/** Twice the largest face on a screen. */
const FACE_SIDE = 288;
/** Half the duration of the usual 4, for files 5 % larger that look the same. */
const EFFORT = 2;

sharp.concurrency(1);
sharp.cache(false);

/** Each throws UnreadablePicture, DotPicture, or the decoder's error. */
export const makers: {
  readonly [W in keyof DecodingResults]: (content: Buffer) => Promise<DecodingResults[W]>;
} = {
  fromSource: describe,
  fromPerson: async (content) => {
    await admit(content);
    const anew = await open(content)
      .resize({ ...KEPT, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .toBuffer();
    return describe(anew);
  },
  portrait: async (content) => {
    await admit(content);
    return open(content)
      .resize({ width: FACE_SIDE, height: FACE_SIDE, fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .webp({ quality: 80, effort: EFFORT })
      .toBuffer();
  },
  thumbnails: async (content) => {
    await admit(content);
    return makeThumbnails(content);
  },
};

/** The chunks of a PNG that affect its pixels; a colour profile of usual length decompresses to little. */
const LOOKS = new Set('IHDR PLTE IDAT IEND tRNS bKGD gAMA cHRM sRGB sBIT cICP eXIf'.split(' '));
const MAX_PROFILE_BYTES = 64 * 1024;

/** A PNG without its texts, which the decoder would unfold a thousandfold. */
function withoutTexts(content: Buffer): Buffer {
  if (typeByContent(content) !== 'image/png') return content;
  const kept = [content.subarray(0, 8)];
  let end: number;
  for (let at = 8; at + 12 <= content.length; at = end) {
    const length = content.readUInt32BE(at);
    const type = content.toString('latin1', at + 4, at + 8);
    end = at + length + 12;
    if (LOOKS.has(type) || (type === 'iCCP' && length <= MAX_PROFILE_BYTES))
      kept.push(content.subarray(at, end));
  }
  return Buffer.concat(kept);
}

/** Fails at the header for too many pixels, and while decoding for an unreadable or truncated file. */
const read = (content: Buffer) =>
  sharp(withoutTexts(content), { limitInputPixels: MAX_PIXELS, failOn: 'error' });

const open = (content: Buffer) => read(content).autoOrient().toColorspace('srgb');

async function admit(content: Buffer) {
  const type = typeByContent(content);
  if (type === null) throw new UnreadablePicture('Not a picture');
  const header = await read(content).metadata();
  const { width, height, format, isProgressive, autoOrient } = header;
  const bytes =
    BYTES_A_PIXEL[format] ?? (isProgressive ? BYTES_A_PIXEL_INTERLACED[format] : undefined) ?? 0;
  if (Math.max(width, height) > MAX_SIDE || width * height * bytes > MAX_DECODED_BYTES)
    throw new UnreadablePicture(`Too large: ${format} of ${width} × ${height}`);
  return { type, largeur: autoOrient.width, hauteur: autoOrient.height };
}

async function describe(content: Buffer): Promise<Picture> {
  const { type, largeur, hauteur } = await admit(content);
  if (largeur <= DOT_SIDE && hauteur <= DOT_SIDE) throw new DotPicture('A dot');
  const { ligne, page } = await makeThumbnails(content);
  const { dominant } = await sharp(ligne).stats();
  return {
    cle: createHash('sha256').update(content).digest('hex'),
    couleur: hexOf(dominant),
    taille: content.length,
    type,
    largeur,
    hauteur,
    content,
    ligne,
    page,
  };
}

async function makeThumbnails(content: Buffer): Promise<DecodingResults['thumbnails']> {
  const page = await open(content)
    .resize({ ...PAGE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78, effort: EFFORT })
    .toBuffer();
  const ligne = await sharp(page)
    .resize({ ...ROW, fit: 'outside', withoutEnlargement: true })
    .webp({ quality: 70, smartSubsample: true })
    .toBuffer();
  return { ligne, page };
}

const hexOf = ({ r, g, b }: { r: number; g: number; b: number }): string =>
  `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
