/** A cell of a table of cases, with its `\u{…}` as characters. */
export const unescape = (cell: string): string =>
  cell.replace(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
