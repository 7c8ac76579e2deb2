import type { KeptPicture } from '../store/pictures.ts';

/** A picture, ready to be kept: its bytes, its thumbnails and what is known of it. */
export interface Picture extends KeptPicture {
  readonly content: Buffer;
  readonly ligne: Buffer;
  readonly page: Buffer;
}

/** What can be made of the bytes of a picture. */
export interface Makings {
  /** Of a picture from a source, whose bytes stay as they came. */
  readonly fromSource: Picture;
  /**
   * Of a person's own picture, encoded again: upright, in sRGB, without the file's metadata, of an animation the
   * first frame.
   */
  readonly fromPerson: Picture;
  /** Of a person's picture of themselves: a small square, in WebP, without the file's metadata. */
  readonly portrait: Buffer;
  /** Of a picture that is kept already. */
  readonly thumbnails: Pick<Picture, 'ligne' | 'page'>;
}

/** A picture that cannot be decoded, takes too much to be, or is of a type that is not accepted. */
export class UnreadablePicture extends Error {}

/** A picture of a few pixels, which a source sends where it has none. */
export class DotPicture extends Error {}

/** A picture that ended the process that decodes, whenever it was tried. */
export class DeadlyPicture extends UnreadablePicture {}
