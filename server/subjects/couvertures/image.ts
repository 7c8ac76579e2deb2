import type { Couverture } from '#shared/couvertures';

/** The raster formats of a cover. SVG is excluded: as a document it may contain scripts. */
const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'] as const;
export type ImageType = (typeof TYPES)[number];

/** The first bytes of each type, as latin1; `.` is any byte. */
const SIGNATURES: readonly (readonly [RegExp, ImageType])[] = [
  [/^\xff\xd8\xff/u, 'image/jpeg'],
  [/^\x89PNG\r\n\x1a\n/u, 'image/png'],
  [/^GIF8[79]a/u, 'image/gif'],
  [/^RIFF.{4}WEBP/su, 'image/webp'],
  // Any brand in the box `ftyp` counts: some files name `mif1` first.
  [/^.{4}ftyp(?:.{4})*?avi[fs]/su, 'image/avif'],
];

export function typeByContent(content: Buffer): ImageType | null {
  const start = content.toString('latin1', 0, 64);
  return SIGNATURES.find(([signature]) => signature.test(start))?.[1] ?? null;
}

/** The brands of an iPhone photograph (ISO/IEC 23008-12): HEVC, which no decoder here supports. */
const HEIC = /^.{4}ftyp(?:.{4})*?he[iv][cmsx]/su;

export const isHeic = (content: Buffer): boolean =>
  typeByContent(content) === null && HEIC.test(content.toString('latin1', 0, 64));

/**
 * The type of an image by its content, since many sources declare JPEG for a PNG; `null` unless the declared type is an
 * accepted one, too (docs/rules.md § 27).
 *
 * @param declared the source's Content-Type
 */
export function detectImageType(content: Buffer, declared: string): ImageType | null {
  const type = declared.split(';')[0]?.trim().toLowerCase().replace('image/jpg', 'image/jpeg');
  return TYPES.some((known) => known === type) ? typeByContent(content) : null;
}

/** The typical ratio of a phone's photograph. */
const PIXELS_A_BYTE = 4;

/**
 * Roughly the pixels of a picture, which determine the duration of decoding: for a PNG, which may be of one colour,
 * by its header; for others by their length.
 */
export const pixelsOf = (content: Buffer): number =>
  typeByContent(content) === 'image/png' && content.length >= 24
    ? content.readUInt32BE(16) * content.readUInt32BE(20)
    : content.length * PIXELS_A_BYTE;

export interface StoredPicture extends Omit<Couverture, 'source'> {
  readonly type: string;
  /** The size in bytes. */
  readonly taille: number;
}

export interface Picture extends StoredPicture {
  readonly content: Buffer;
  readonly ligne: Buffer;
  readonly page: Buffer;
}

export interface DecodingResults {
  readonly fromSource: Picture;
  /** A person's own picture, encoded again: upright, in sRGB, without metadata, the first frame of an animation. */
  readonly fromPerson: Picture;
  readonly portrait: Buffer;
  readonly thumbnails: Pick<Picture, 'ligne' | 'page'>;
}

/** A picture that cannot be decoded, costs too much, or is of a refused type. */
export class UnreadablePicture extends Error {}

/** A picture of a few pixels, which some sources send instead of a missing one. */
export class DotPicture extends Error {}

/** A picture that has ended the decoding process at each try. */
export class DeadlyPicture extends UnreadablePicture {}
