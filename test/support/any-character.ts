import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** Without lone surrogates. fast-check's « binary » is slower: it first builds a table of a million characters. */
export const anyCharacter = fc
  .nat({ max: 0x10ffff - SURROGATES })
  .map((nth) => String.fromCodePoint(nth < FIRST_SURROGATE ? nth : nth + SURROGATES));
