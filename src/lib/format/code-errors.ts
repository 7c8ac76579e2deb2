import { m } from '$lib/paraglide/messages';
import { diagnoseIsbn } from '#shared/isbn-help';
import { diagnoseIssn } from '#shared/issn-help';
import { Refusal } from '#shared/refusals';

/** The error of a text typed as an ISBN, with a correction; `undefined` for a valid one. */
export function isbnError(text: string): string | undefined {
  const diagnosis = diagnoseIsbn(text);
  switch (diagnosis.kind) {
    case 'empty':
    case 'valid':
      return undefined;
    case 'revue':
      return m.isbn_revue();
    case 'other':
      return new Refusal('ISBN_INVALIDE', { revue: null, sorte: diagnosis.sorte }).message;
    case 'revueCheck':
      return new Refusal('ISBN_INVALIDE', { revue: diagnosis.code }).message;
    case 'character':
      return m.isbn_character(diagnosis);
    case 'missing':
      return m.isbn_missing(diagnosis);
    case 'extra':
      return m.isbn_extra(diagnosis);
    case 'prefix':
      return m.isbn_prefix(diagnosis);
    case 'check':
      return m.isbn_check(diagnosis);
  }
}

/** Like `isbnError` for an ISSN, which may be typed as a cover's 977 code. */
export function issnError(text: string): string | undefined {
  const diagnosis = diagnoseIssn(text);
  switch (diagnosis.kind) {
    case 'empty':
    case 'valid':
      return undefined;
    case 'character':
      return m.issn_character(diagnosis);
    case 'missing':
      return m.issn_missing(diagnosis);
    case 'extra':
      return m.issn_extra(diagnosis);
    case 'revueCheck':
      return new Refusal('ISBN_INVALIDE', { revue: diagnosis.code }).message;
    case 'check':
      return m.issn_check(diagnosis);
  }
}

/** Like `isbnError` for the web address of a picture. */
export function urlError(text: string): string | undefined {
  const address = text.trim();
  if (address === '') return undefined;
  const protocol = URL.canParse(address) ? new URL(address).protocol : null;
  return protocol === 'http:' || protocol === 'https:' ? undefined : m.url_invalid();
}
