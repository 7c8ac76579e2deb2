import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts the processors' time in hundredths of a second. */
const TICKS_A_SECOND = 100;

const SAMPLE_MS = 2_000;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

/**
 * Measures the processors' use by programs other than this one and its children.
 *
 * @returns stops and returns the average number of used processors, `null` if the system does not report it
 */
export function watchOthers(): () => number | null {
  const begin = performance.now();
  const own = new Set([process.pid]);
  const known = new Map<number, number>();
  let ticks = 0;
  const look = (isFirst = false): void => {
    for (const each of running()) {
      // An orphaned process still belongs to the program that started it.
      if (own.has(each.parent)) own.add(each.pid);
      const before = known.get(each.pid) ?? (isFirst ? each.ticks : 0);
      if (!own.has(each.pid)) ticks += Math.max(0, each.ticks - before);
      known.set(each.pid, each.ticks);
    }
  };
  look(true);
  const timer = setInterval(look, SAMPLE_MS).unref();
  return () => {
    clearInterval(timer);
    look();
    const seconds = (performance.now() - begin) / 1000;
    return known.size === 0 ? null : ticks / TICKS_A_SECOND / seconds;
  };
}

/** All processes, parents before children, since numbers grow; empty without `/proc`. */
function running(): Process[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
      .sort((a, b) => a - b)
      .flatMap((pid) => processOf(pid) ?? []);
  } catch {
    return [];
  }
}

function processOf(pid: number): Process | null {
  try {
    // The name, in parentheses, may contain any character.
    const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')
      .at(-1)
      ?.split(' ');
    const [parent, user, system] = [1, 11, 12].map((at) => Number(fields?.[at]));
    if (parent === undefined || user === undefined || system === undefined) return null;
    return { pid, parent, ticks: user + system };
  } catch {
    // The process has ended since.
    return null;
  }
}
