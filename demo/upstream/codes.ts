import { ean13CheckDigit } from '#shared/codes';
import { parseIsbn } from '#shared/isbn';
import { EDITIONS } from './editions.ts';
import { RECORDS } from './records.ts';

/** Codes of the simulated catalogues, as a scanner reads them: books, then periodicals. */
export function knownCodes(): string[] {
  const texts = RECORDS.flatMap(({ numeros, description = '' }) => [...numeros, description]);
  const lastWords = texts.map((text) => text.split(' ').at(-1) ?? '');
  const livres = lastWords.flatMap((code) => parseIsbn(code) ?? []);
  const revues = texts.flatMap((text) => /^ISSN (\d{7})/u.exec(text)?.[1] ?? []).map(code977);
  return [...new Set([...livres, ...EDITIONS.map(({ isbn13 }) => isbn13), ...revues])];
}

function code977(root: string): string {
  const code = `977${root}00`;
  return code + ean13CheckDigit(code);
}
