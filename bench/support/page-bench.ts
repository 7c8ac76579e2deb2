import type { LivreDocument } from '#shared/livres';

/** The household's documents by collection, as replication yields them. */
export type Documents = Record<string, readonly { id: number }[]>;

/** What `bench/page` offers in a page; every time is in milliseconds. */
export interface PageBench {
  keystrokes(
    livres: readonly LivreDocument[],
    searches: readonly string[],
  ): { catalogue: number; loop: number };
  write(all: Documents): Promise<number>;
  readCopy(): Promise<number>;
  readRaw(): Promise<number>;
}

declare global {
  var bench: PageBench;
}
