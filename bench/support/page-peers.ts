/** What `bench/page/peers.ts` offers in a page; every time is in milliseconds. They throw where a copy lacks a book. */
export interface PagePeers {
  pullByPouchDb(count: number, batch: number): Promise<number>;
  pullByRxDb(fields: readonly string[], count: number, batch: number): Promise<number>;
}

declare global {
  /** Defined after `bench/page/peers.ts` is loaded. */
  var peers: PagePeers;
}
