import { nfc } from '#shared/text';

/** The number of cloths of `src/styles/cloths.css`. */
export const CLOTHS = 15;

/** FNV-1a of 32 bits over the text in UTF-8 (NFC, lower case), mixed so that its low bits differ as well. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(nfc(text).toLowerCase()))
    hash = Math.imul(hash ^ byte, 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}

export const clothOf = (nom: string): number => hashOf(nom) % CLOTHS;
