const DAY_MS = 86_400_000;

/**
 * Works once a day until the returned function is called; the first time a day from now, unless `startsNow`. A failure
 * is told and tried again the next day: a full disk must not end the service.
 */
export function everyDay(work: () => void, { startsNow = false } = {}): () => void {
  const attempt = (): void => {
    try {
      work();
    } catch (error) {
      process.stderr.write(`Daily work failed: ${String(error)}\n`);
    }
  };
  if (startsNow) attempt();
  const timer = setInterval(attempt, DAY_MS).unref();
  return () => clearInterval(timer);
}
