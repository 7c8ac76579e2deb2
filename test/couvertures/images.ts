/** The first bytes of each image format, padded with zeros. */
const image = (start: string, length = 64): Buffer => {
  const bytes = Buffer.alloc(Math.max(length, start.length));
  bytes.write(start, 'latin1');
  return bytes;
};

export const PNG = image('\x89PNG\r\n\x1a\n');
export const JPEG = image('\xff\xd8\xff\xe0');
export const GIF = image('GIF89a');
export const WEBP = image('RIFF\x00\x00\x00\x00WEBPVP8 ');
export const AVIF = image('\0\0\0\x20ftypavif\0\0\0\0avifmif1miaf');
export const AVIF_GENERIC = image('\0\0\0\x20ftypmif1\0\0\0\0mif1avif');
export const HEIC = image('\0\0\0\x20ftypheic\0\0\0\0heicmif1');
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
export const HTML = Buffer.from('<!doctype html><script>1</script>');

/** A PNG of exactly this length. */
export const pngOf = (length: number): Buffer => image('\x89PNG\r\n\x1a\n', length);
