/** What `bench/page/decodage.ts` offers in a page. */
export interface DecodageBench {
  /** Reads one and the same picture so many times: milliseconds each, and what was read in it. */
  lire(
    code: string | null,
    degrees: number,
    rounds: number,
  ): Promise<{ times: number[]; lus: readonly string[] }>;
}

declare global {
  /** There once `bench/page/decodage.ts` is in a page. */
  var decodage: DecodageBench;
}
