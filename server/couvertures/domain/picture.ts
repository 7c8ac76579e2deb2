import { createHash } from 'node:crypto';
import type Sharp from 'sharp';
import { Refusal } from '#shared/refusals';
import type { KeptPicture } from '../store/pictures.ts';
import { typeByContent } from './image.ts';

/** A picture of more pixels is refused before it is decoded. */
const MAX_PIXELS = 50_000_000;
/** Some sources answer with a picture of at most this many pixels a side where they have none. */
const DOT_SIDE = 10;
/** The largest size at which a person's own photograph is kept, in pixels. */
const KEPT = { width: 1600, height: 2400 } as const;
/** Covers twice the 44 × 66 px of a row, for screens of two pixels each; what is longer sticks out. */
const ROW = { width: 88, height: 132 } as const;
/** The cover of a page is at most this wide. */
const PAGE = { width: 480, height: 1440 } as const;

/** A picture, ready to be kept: its bytes, its thumbnails and what is known of it. */
export interface Picture extends KeptPicture {
  readonly content: Buffer;
  readonly ligne: Buffer;
  readonly page: Buffer;
}

/** A picture that cannot be decoded, or of a type that is not accepted. */
export class UnreadablePicture extends Error {}

/** A picture of a few pixels, which a source sends where it has none. */
export class DotPicture extends Error {}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Does the work on pictures one at a time: memory is bounded by one picture, and one thread of
 * Node's four is busy with it at most.
 */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work);
  turn = mine.catch(() => undefined);
  return mine;
}

let loaded: Promise<typeof Sharp> | undefined;

/** sharp is loaded with the first picture: it takes memory that a service without pictures saves. */
async function load(): Promise<typeof Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loaded;
}

/**
 * Makes the thumbnails of a picture from a source, whose bytes stay as they came. Throws
 * UnreadablePicture or DotPicture.
 */
export const fromSource = (content: Buffer): Promise<Picture> =>
  inTurn(async () => {
    try {
      return await describe(await load(), content);
    } catch (error) {
      if (error instanceof DotPicture) throw error;
      throw new UnreadablePicture('Not a picture that can be read', { cause: error });
    }
  });

/**
 * Decodes a person's own picture and encodes it again: upright, in sRGB, without the file's metadata, of
 * an animation the first frame. Throws `IMAGE_INVALIDE`.
 */
export const fromPerson = (content: Buffer): Promise<Picture> =>
  inTurn(async () => {
    try {
      const sharp = await load();
      if (typeByContent(content) === null) throw new UnreadablePicture('Not a picture');
      const anew = await open(sharp, content)
        .resize({ ...KEPT, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#ffffff' })
        .jpeg({ quality: 85 })
        .toBuffer();
      return await describe(sharp, anew);
    } catch (error) {
      const refusal = new Refusal('IMAGE_INVALIDE');
      refusal.cause = error;
      throw refusal;
    }
  });

/** The thumbnails of a picture that is kept already. */
export const thumbnailsOf = (content: Buffer): Promise<Pick<Picture, 'ligne' | 'page'>> =>
  inTurn(async () => makeThumbnails(await load(), content));

/** Upright and in sRGB; an unreadable or truncated file throws when it is decoded. */
const open = (sharp: typeof Sharp, content: Buffer) =>
  sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .toColorspace('srgb');

async function describe(sharp: typeof Sharp, content: Buffer): Promise<Picture> {
  const type = typeByContent(content);
  if (type === null) throw new UnreadablePicture('Not a picture');
  const { autoOrient } = await sharp(content, { limitInputPixels: MAX_PIXELS }).metadata();
  const { width: largeur, height: hauteur } = autoOrient;
  if (largeur <= DOT_SIDE && hauteur <= DOT_SIDE) throw new DotPicture('A dot');
  const { ligne, page } = await makeThumbnails(sharp, content);
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

async function makeThumbnails(
  sharp: typeof Sharp,
  content: Buffer,
): Promise<Pick<Picture, 'ligne' | 'page'>> {
  const page = await open(sharp, content)
    .resize({ ...PAGE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toBuffer();
  const ligne = await sharp(page)
    .resize({ ...ROW, fit: 'outside', withoutEnlargement: true })
    .webp({ quality: 70, smartSubsample: true })
    .toBuffer();
  return { ligne, page };
}

const hexOf = ({ r, g, b }: { r: number; g: number; b: number }): string =>
  `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
