/** The raster images that a cover may be; SVG is a document with scripts, and none of them. */
const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'] as const;
export type TypeImage = (typeof TYPES)[number];

/** The bytes that each type begins with, a character each; `.` is any byte. */
const DEBUTS: readonly (readonly [RegExp, TypeImage])[] = [
  [/^\xff\xd8\xff/u, 'image/jpeg'],
  [/^\x89PNG\r\n\x1a\n/u, 'image/png'],
  [/^GIF8[79]a/u, 'image/gif'],
  [/^RIFF.{4}WEBP/su, 'image/webp'],
  // Any brand of the box `ftyp` may be the one: some files name `mif1` first.
  [/^.{4}ftyp(?:.{4})*?avi[fs]/su, 'image/avif'],
];

/**
 * The type of an image by its content, `null` unless the source calls it one of them, too
 * (contract.md « The cover relay »). Sources that say JPEG of a PNG are common: the content wins.
 *
 * @param annonce the source's Content-Type
 */
export function typeImage(contenu: Buffer, annonce: string): TypeImage | null {
  const dit = annonce.split(';')[0]?.trim().toLowerCase().replace('image/jpg', 'image/jpeg');
  if (!TYPES.some((type) => type === dit)) return null;
  const debut = contenu.toString('latin1', 0, 64);
  return DEBUTS.find(([signature]) => signature.test(debut))?.[1] ?? null;
}
