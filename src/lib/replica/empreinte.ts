/**
 * A short hash of a text (cyrb53, 53 bits in base 36). It names schemas and guards nothing;
 * `crypto.subtle` is not there on plain http.
 */
export function empreinte(texte: string): string {
  let haut = 0xdeadbeef;
  let bas = 0x41c6ce57;
  for (let i = 0; i < texte.length; i++) {
    const code = texte.charCodeAt(i);
    haut = Math.imul(haut ^ code, 2654435761);
    bas = Math.imul(bas ^ code, 1597334677);
  }
  haut = Math.imul(haut ^ (haut >>> 16), 2246822507) ^ Math.imul(bas ^ (bas >>> 13), 3266489909);
  bas = Math.imul(bas ^ (bas >>> 16), 2246822507) ^ Math.imul(haut ^ (haut >>> 13), 3266489909);
  return (4294967296 * (2097151 & bas) + (haut >>> 0)).toString(36);
}
