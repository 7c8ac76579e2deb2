/** What people and scanners put between the characters of a code: blanks and hyphens of every kind. */
const SEPARATEURS = /[\s\p{Pd}\p{Cf}\u2212]+/gu;

/** A printed or scanned code without its separators; a final `x` comes out upper-case. */
export const codeNu = (texte: string): string => texte.replace(SEPARATEURS, '').toUpperCase();

/** The check character of an ISBN-10 or an ISSN: weights down to 2, modulo 11, X for 10. */
export function cleModulo11(racine: string): string {
  let somme = 0;
  for (let i = 0; i < racine.length; i++) somme += Number(racine[i]) * (racine.length + 1 - i);
  const cle = (11 - (somme % 11)) % 11;
  return cle === 10 ? 'X' : String(cle);
}

/** The check digit of an EAN-13, from its first twelve digits: weights 1 and 3, modulo 10. */
export function cleEan13(racine: string): string {
  let somme = 0;
  for (let i = 0; i < 12; i++) somme += Number(racine[i]) * (i % 2 === 0 ? 1 : 3);
  return String((10 - (somme % 10)) % 10);
}
