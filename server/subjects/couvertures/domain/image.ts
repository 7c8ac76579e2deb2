/** The raster images that a cover may be. SVG is excluded: it is a document that may hold scripts. */
const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'] as const;
export type ImageType = (typeof TYPES)[number];

/** A photograph's, as a telephone compresses it. */
const PIXELS_A_BYTE = 4;

/** The first bytes of each type, as latin1; `.` is any byte. */
const SIGNATURES: readonly (readonly [RegExp, ImageType])[] = [
  [/^\xff\xd8\xff/u, 'image/jpeg'],
  [/^\x89PNG\r\n\x1a\n/u, 'image/png'],
  [/^GIF8[79]a/u, 'image/gif'],
  [/^RIFF.{4}WEBP/su, 'image/webp'],
  // Any brand of the box `ftyp` counts: some files name `mif1` first.
  [/^.{4}ftyp(?:.{4})*?avi[fs]/su, 'image/avif'],
];

/**
 * The type of an image by its content, `null` unless the source declares one of them as well
 * (docs/rules.md § 27). Sources that declare JPEG for a PNG are common: the content decides.
 *
 * @param declared the source's Content-Type
 */
export function detectImageType(content: Buffer, declared: string): ImageType | null {
  const type = declared.split(';')[0]?.trim().toLowerCase().replace('image/jpg', 'image/jpeg');
  if (!TYPES.some((known) => known === type)) return null;
  return typeByContent(content);
}

/**
 * About how many pixels a picture has, which say how long its decoding takes: a PNG, which may be of one colour, by its
 * header, another by its length.
 */
export const pixelsOf = (content: Buffer): number =>
  typeByContent(content) === 'image/png' && content.length >= 24
    ? content.readUInt32BE(16) * content.readUInt32BE(20)
    : content.length * PIXELS_A_BYTE;

/** The type of an image by its first bytes, `null` for what is none that a cover may be. */
export function typeByContent(content: Buffer): ImageType | null {
  const start = content.toString('latin1', 0, 64);
  return SIGNATURES.find(([signature]) => signature.test(start))?.[1] ?? null;
}
