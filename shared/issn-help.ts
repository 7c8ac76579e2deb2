import { bareCode } from './codes.ts';
import { digitsOfCode977, issnOfCode977, parseIssn } from './issn.ts';

const CODE_LENGTH = 13;
const ISSN_LENGTH = 8;

/** The diagnosis of a code typed as an ISSN (docs/rules.md § 8). */
type IssnDiagnosis =
  | { readonly kind: 'empty' }
  | { readonly kind: 'valid'; readonly issn: string }
  /** The first character other than digits, hyphens, blanks and a last X. */
  | { readonly kind: 'character'; readonly character: string }
  /** The number of missing characters: 8 for an ISSN, 13 for a code that begins with 977. */
  | { readonly kind: 'missing'; readonly count: number; readonly length: 8 | 13 }
  | { readonly kind: 'extra'; readonly count: number; readonly length: 8 | 13 }
  /** A periodical's code of thirteen digits, of which the last is wrong. */
  | { readonly kind: 'revueCheck'; readonly code: string }
  /** A wrong check character: `shown` is the code, « ? » for that character. */
  | { readonly kind: 'check'; readonly shown: string };

export function diagnoseIssn(text: string): IssnDiagnosis {
  const code = bareCode(text);
  if (code === '') return { kind: 'empty' };
  const ofCover = issnOfCode977(code);
  const issn = parseIssn(code) ?? ofCover?.issn ?? null;
  if (issn !== null) return { kind: 'valid', issn };
  const wrong = /[^\dX]|X(?!$)/u.exec(code)?.[0];
  if (wrong !== undefined) return { kind: 'character', character: wrong };
  const { length } = code;
  const isOfCover = length > ISSN_LENGTH && code.startsWith('977');
  const wanted = isOfCover ? CODE_LENGTH : ISSN_LENGTH;
  if (length < wanted) return { kind: 'missing', count: wanted - length, length: wanted };
  if (length > wanted && ofCover === null)
    return { kind: 'extra', count: length - wanted, length: wanted };
  return isOfCover
    ? { kind: 'revueCheck', code: digitsOfCode977(code) }
    : { kind: 'check', shown: shownIssn(code) };
}

const shownIssn = (code: string): string => `${code.slice(0, 4)}-${code.slice(4, 7)}?`;
