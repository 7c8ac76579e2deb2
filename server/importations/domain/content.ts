import type { ReadRow } from './row.ts';

/** A row as it is kept with its import. */
export const writeContent = (read: ReadRow): string => JSON.stringify(read);

export function readContent(content: string): ReadRow {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- written by `writeContent`, kept for thirty days at most
  return JSON.parse(content) as ReadRow;
}
