/** The first bytes of each kind of image, followed by nothing of interest. */
const image = (debut: string, longueur = 64): Buffer => {
  const octets = Buffer.alloc(Math.max(longueur, debut.length));
  octets.write(debut, 'latin1');
  return octets;
};

export const PNG = image('\x89PNG\r\n\x1a\n');
export const JPEG = image('\xff\xd8\xff\xe0');
export const GIF = image('GIF89a');
export const WEBP = image('RIFF\x00\x00\x00\x00WEBPVP8 ');
export const AVIF = image('\0\0\0\x20ftypavif\0\0\0\0avifmif1miaf');
export const AVIF_GENERIQUE = image('\0\0\0\x20ftypmif1\0\0\0\0mif1avif');
export const HEIC = image('\0\0\0\x20ftypheic\0\0\0\0heicmif1');
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
export const HTML = Buffer.from('<!doctype html><script>1</script>');

/** A PNG of exactly so many bytes. */
export const pngDe = (longueur: number): Buffer => image('\x89PNG\r\n\x1a\n', longueur);
