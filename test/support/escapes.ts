/** Replaces the `\u{…}` of a table's cell by their characters. */
export const unescape = (cell: string): string =>
  cell.replace(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
