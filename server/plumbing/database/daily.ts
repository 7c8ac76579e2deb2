const HOUR_MS = 3_600_000;
const HOURS = 24;

/**
 * Works once a day until the returned function is called; the first time a day from now, unless `startsNow`. A failure
 * is told and tried again an hour later: a full disk must not end the service, and a long import is over by then.
 */
export function everyDay(work: () => void, { startsNow = false } = {}): () => void {
  let hoursLeft = HOURS;
  const attempt = (): void => {
    try {
      work();
      hoursLeft = HOURS;
    } catch (error) {
      hoursLeft = 1;
      process.stderr.write(`Daily work failed: ${String(error)}\n`);
    }
  };
  if (startsNow) attempt();
  const timer = setInterval(() => {
    hoursLeft--;
    if (hoursLeft === 0) attempt();
  }, HOUR_MS).unref();
  return () => clearInterval(timer);
}
