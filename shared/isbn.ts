// The default import only: the named ones pass the type check and fail at run time.
import isbn3 from 'isbn3';

/** What people and scanners put between the digits: blanks and hyphens of every kind. */
const SEPARATEURS = /[\s\p{Pd}\p{Cf}\u2212]+/gu;

/** A code as digits alone, whatever stood between them; a final `x` comes out upper-case. */
export const chiffresDuCode = (texte: string): string =>
  texte.replace(SEPARATEURS, '').toUpperCase();

/**
 * The ISBN-13, bare, that a text says as ISBN-10 or ISBN-13; `null` when it says none. Valid by
 * its prefix and its check digit, even in a range that is not assigned (contract.md « ISBN »).
 */
export function lireIsbn(texte: string): string | null {
  const code = chiffresDuCode(texte);
  if (/^\d{9}[\dX]$/.test(code)) {
    const racine = code.slice(0, 9);
    return cleModulo11(racine) === code[9] ? avecCle13(`978${racine}`) : null;
  }
  if (!/^97(?:8|9[1-9])\d+$/.test(code)) return null;
  return code.length === 13 && avecCle13(code.slice(0, 12)) === code ? code : null;
}

/**
 * An ISBN-13 with its hyphens: split entirely in the French-language group (978-2, 979-10), at
 * group and check digit elsewhere, and not at all in a range that is not assigned
 * (contract.md « ISBN »). Expects what `lireIsbn` returned.
 */
export function afficherIsbn(isbn13: string): string {
  const parties = isbn3.parse(isbn13);
  if (parties === null) return isbn13;
  const { prefix, group, publisher, article, check } = parties;
  const francophone = prefix === '978' ? group === '2' : group === '10';
  const milieu = francophone ? `${publisher}-${article}` : `${publisher}${article}`;
  return `${prefix}-${group}-${milieu}-${check}`;
}

/** The ISBN-10 of a bare ISBN-13; `null` for the prefix 979, which has none. */
export function isbn10De(isbn13: string): string | null {
  if (!isbn13.startsWith('978')) return null;
  const racine = isbn13.slice(3, 12);
  return racine + cleModulo11(racine);
}

/** The check character of an ISBN-10 or an ISSN: weights down to 2, modulo 11, X for 10. */
export function cleModulo11(racine: string): string {
  let somme = 0;
  for (let i = 0; i < racine.length; i++) somme += Number(racine[i]) * (racine.length + 1 - i);
  const cle = (11 - (somme % 11)) % 11;
  return cle === 10 ? 'X' : String(cle);
}

/** Twelve digits and their EAN-13 check digit. */
export function avecCle13(racine: string): string {
  let somme = 0;
  for (let i = 0; i < 12; i++) somme += Number(racine[i]) * (i % 2 === 0 ? 1 : 3);
  return racine + String((10 - (somme % 10)) % 10);
}
