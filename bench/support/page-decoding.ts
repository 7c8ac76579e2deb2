/** What `bench/page/decoding.ts` offers in a page. */
export interface DecodingBench {
  /** Reads one and the same picture so many times: milliseconds each, and what was read in it. */
  read(
    code: string | null,
    degrees: number,
    rounds: number,
  ): Promise<{ times: number[]; found: readonly string[] }>;
}

declare global {
  var decoding: DecodingBench;
}
