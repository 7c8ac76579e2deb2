/**
 * A sentence of the server with the no-break spaces that French has inside its marks, so that none of
 * them begins a line.
 */
export const withNoBreakSpaces = (sentence: string): string =>
  sentence.replace(/ (?=[:;?!»])|(?<=«) /gu, '\u00a0');
