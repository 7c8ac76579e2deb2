import { cleEan13, cleModulo11, codeNu } from './codes.ts';

/**
 * The ISSN that a text says, in its canonical dashed form (`0988-2480`), `null` when it says none.
 * Blanks and hyphens may stand anywhere (specification « ISSN »).
 */
export function lireIssn(texte: string): string | null {
  const code = codeNu(texte);
  if (!/^\d{7}[\dX]$/.test(code)) return null;
  return code.endsWith(cleModulo11(code.slice(0, 7))) ? avecTiret(code) : null;
}

/**
 * What a periodical's EAN says: 13 digits that begin with 977, then nothing or an add-on of 2 or
 * 5 digits, which is ignored (contract.md « 977 codes »). `null` is no code of a periodical;
 * `issn: null` is one whose check digit is wrong, so no ISSN can be trusted.
 */
export function issnDuCode977(texte: string): { readonly issn: string | null } | null {
  const code = /^(977\d{10})(?:\d{2}|\d{5})?$/.exec(codeNu(texte))?.[1];
  if (code === undefined) return null;
  if (!code.endsWith(cleEan13(code))) return { issn: null };
  const racine = code.slice(3, 10);
  return { issn: avecTiret(racine + cleModulo11(racine)) };
}

const avecTiret = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;
