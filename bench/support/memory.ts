import { spawnSync } from 'node:child_process';

/** What a process holds of the machine's memory, in MB. */
export function residentMegabytes(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(stdout) * 1024) / 1e6;
}
