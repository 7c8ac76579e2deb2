import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** Without halves of pairs; fast-check's « binary » first tabulates a million characters, for seconds. */
export const anyCharacter = fc
  .nat({ max: 0x10ffff - SURROGATES })
  .map((nth) => String.fromCodePoint(nth < FIRST_SURROGATE ? nth : nth + SURROGATES));
