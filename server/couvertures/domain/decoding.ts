import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { typeByContent } from './image.ts';
import { DotPicture, UnreadablePicture, type Makings, type Picture } from './picture.ts';

/** The largest picture that is decoded: pixels in all, and pixels of one side. */
const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 16_384;
/** What a decoding may take for a picture that the decoder holds whole, in bytes. */
const MAX_DECODED_BYTES = 320_000_000;
/** What each decoder takes for a pixel, in bytes, as measured; it holds the picture whole. */
const BYTES_A_PIXEL: Readonly<Record<string, number>> = { gif: 6, webp: 6, heif: 25 };
/** The same for those that hold the picture whole only where it is interlaced or progressive. */
const BYTES_A_PIXEL_INTERLACED: Readonly<Record<string, number>> = { jpeg: 6, png: 10 };
/** Some sources answer with a picture of at most this many pixels a side where they have none. */
const DOT_SIDE = 10;
/** The largest size at which a person's own photograph is kept, in pixels. */
const KEPT = { width: 1600, height: 2400 } as const;
/** Covers twice the 44 × 66 px of a row, for screens of two pixels each; what is longer sticks out. */
const ROW = { width: 88, height: 132 } as const;
/** The cover of a page is at most this wide. */
const PAGE = { width: 480, height: 1440 } as const;

sharp.concurrency(1);
sharp.cache(false);

/** Each throws UnreadablePicture, DotPicture, or the error of the decoder. */
export const makers: { readonly [W in keyof Makings]: (content: Buffer) => Promise<Makings[W]> } = {
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
  thumbnails: async (content) => {
    await admit(content);
    return makeThumbnails(content);
  },
};

/** Upright and in sRGB; an unreadable or truncated file throws when it is decoded. */
const open = (content: Buffer) =>
  sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .toColorspace('srgb');

/** What the header says of a picture that may be decoded; throws for any other. */
async function admit(content: Buffer) {
  const type = typeByContent(content);
  if (type === null) throw new UnreadablePicture('Not a picture');
  const header = await sharp(content, { limitInputPixels: MAX_PIXELS }).metadata();
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
  return {
    cle: createHash('sha256').update(content).digest('hex'),
    couleur: await dominantOf(ligne),
    taille: content.length,
    type,
    largeur,
    hauteur,
    content,
    ligne,
    page,
  };
}

async function makeThumbnails(content: Buffer): Promise<Makings['thumbnails']> {
  const page = await open(content)
    .resize({ ...PAGE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toBuffer();
  const ligne = await sharp(page)
    .resize({ ...ROW, fit: 'outside', withoutEnlargement: true })
    .webp({ quality: 70, smartSubsample: true })
    .toBuffer();
  return { ligne, page };
}

/** Values of red, green or blue that count as one shade, as libvips divides them; there are sixteen. */
const SHADE = 257 / 16;

/**
 * The colour that most pixels have, as `#rrggbb`: what `sharp.stats()` calls dominant, without all that it
 * finds out besides, which takes six times as long.
 */
async function dominantOf(content: Buffer): Promise<string> {
  const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
  const shadeAt = (index: number): number => Math.floor((data[index] ?? 0) / SHADE);
  const counts = new Uint32Array(16 ** 3);
  for (let pixel = 0; pixel < data.length; pixel += info.channels) {
    const colour = shadeAt(pixel + 1) * 256 + shadeAt(pixel) * 16 + shadeAt(pixel + 2);
    counts[colour] = (counts[colour] ?? 0) + 1;
  }
  const most = counts.indexOf(counts.reduce((a, b) => Math.max(a, b)));
  const shades = [Math.floor(most / 16) % 16, Math.floor(most / 256), most % 16];
  return `#${shades.map((shade) => (shade * 16 + 8).toString(16).padStart(2, '0')).join('')}`;
}
