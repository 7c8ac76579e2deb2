const HOUR_MS = 3_600_000;
const HOURS = 24;

/**
 * Runs work once a day until the returned function is called; the first time after a day, unless `startsNow`. A
 * failure is retried each hour, since a full disk must not end the service, and reported once until the work succeeds
 * again.
 */
export function everyDay(work: () => void | Promise<void>, { startsNow = false } = {}): () => void {
  let hoursLeft = HOURS;
  let written = '';
  let hasEnded = false;
  const tryNow = async (): Promise<void> => {
    try {
      await work();
      hoursLeft = HOURS;
      written = '';
    } catch (error) {
      hoursLeft = 1;
      const sentence = `Daily work failed: ${String(error)}\n`;
      if (!hasEnded && sentence !== written) process.stderr.write(sentence);
      written = sentence;
    }
  };
  if (startsNow) void tryNow();
  const timer = setInterval(() => {
    hoursLeft--;
    if (hoursLeft === 0) void tryNow();
  }, HOUR_MS).unref();
  return () => {
    hasEnded = true;
    clearInterval(timer);
  };
}
