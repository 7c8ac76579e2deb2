/** Slow 4G: 400 ms to an answer, 1.6 Mbit/s down and 0.75 up. */
export const SLOW_4G = {
  offline: false,
  latency: 400,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
