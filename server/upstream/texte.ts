/**
 * A text of a catalogue as a reader expects it: NFC, blanks made one, no control characters. The
 * BnF puts U+0088, U+0089, U+0098 and U+009C around the words that a sort leaves out.
 */
export const texteNet = (texte: string): string =>
  texte
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\u0080-\u009f]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** The text cut to what a field takes, in code points; `null` when nothing is left. */
export function borner(texte: string, longueur: number): string | null {
  const points = Array.from(texteNet(texte));
  return points.length === 0 ? null : points.slice(0, longueur).join('').trim();
}
