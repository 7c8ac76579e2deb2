/**
 * A sentence of the server with no-break spaces inside French punctuation, so that no mark begins a
 * line.
 */
export const withNoBreakSpaces = (sentence: string): string =>
  sentence.replace(/ (?=[:;?!»])|(?<=«) /gu, '\u00a0');
