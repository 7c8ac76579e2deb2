import { cleEan13 } from '#shared/codes';
import { lireIsbn } from '#shared/isbn';
import { EDITIONS } from './editions.ts';
import { NOTICES } from './notices.ts';

/** The codes that the played catalogues know, as a scanner reads them: books, then periodicals. */
export function codesConnus(): string[] {
  const textes = NOTICES.flatMap(({ numeros, description = '' }) => [...numeros, description]);
  const derniers = textes.map((texte) => texte.split(' ').at(-1) ?? '');
  const livres = derniers.flatMap((code) => lireIsbn(code) ?? []);
  const revues = textes.flatMap((texte) => /^ISSN (\d{7})/u.exec(texte)?.[1] ?? []).map(code977);
  return [...new Set([...livres, ...EDITIONS.map(({ isbn13 }) => isbn13), ...revues])];
}

function code977(racine: string): string {
  const code = `977${racine}00`;
  return code + cleEan13(code);
}
