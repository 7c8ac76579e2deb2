import type { LivreDocument } from '#shared/livres';

/** What `bench/page/bare` offers in a page; every time is in milliseconds. */
export interface Bare {
  start(): Promise<number>;
  keystrokes(livres: readonly LivreDocument[], searches: readonly string[]): Promise<number[]>;
}

declare global {
  var bare: Bare;
}
