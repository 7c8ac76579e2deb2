import type { ClockPort } from '../ports.ts';

/** The page's own clock. */
export const clock: ClockPort = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  pause: () => {
    // Not every browser has it.
    if ('scheduler' in globalThis && 'yield' in scheduler) return scheduler.yield();
    return new Promise((resume) => void setTimeout(resume));
  },
  chance: () => Math.random(),
};
