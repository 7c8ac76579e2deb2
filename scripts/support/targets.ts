import { createHash, hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import PQueue from 'p-queue';
import type { BuildSettings } from './settings.ts';

/** A part of the build, stale once its sources or settings change. */
export interface Target {
  readonly sources: readonly string[];
  readonly made: string;
  readonly settings: BuildSettings;
  /** @param id identifies the sources and settings of the build */
  readonly make: (id: string) => Promise<void>;
  /** Moves the result into its place. */
  readonly place?: (id: string) => void;
}

/** Sources of every target. */
export const COMMON = [
  'shared/**',
  'messages/**',
  'project.inlang/settings.json',
  'scripts/support/targets.ts',
  'package-lock.json',
  'package.json',
];

/** Generated from other sources. */
const MADE = ['src/lib/paraglide'];

/** Holds the digest of the sources and the settings of a target's last build, a line each; absent while building. */
const stampOf = ({ made }: Target): string => join('.cache', made.replace(/[^a-z]+/g, '-'));

/** Builds in parallel on the available processors, then places the results in order. */
export async function makeAll(targets: readonly Target[]): Promise<void> {
  const queue = new PQueue({ concurrency: availableParallelism() });
  const stamped = targets.map((target) => {
    const stamp = ingredients(target).join('\n');
    rmSync(stampOf(target), { force: true });
    return { target, stamp, id: hash('sha256', stamp).slice(0, 16) };
  });
  await queue.addAll(
    stamped.map(
      ({ target, id }) =>
        () =>
          target.make(id),
    ),
  );
  mkdirSync('.cache', { recursive: true });
  for (const { target, stamp, id } of stamped) {
    target.place?.(id);
    writeFileSync(stampOf(target), stamp);
  }
}

export async function makeIfStale(target: Target): Promise<void> {
  if (isStale(target)) await makeAll([target]);
}

export function isStale(target: Target): boolean {
  const stamp = stampOf(target);
  const last = existsSync(target.made) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  const lines = new Set(last.split('\n'));
  return !ingredients(target).every((line) => lines.has(line));
}

function ingredients({ sources, settings }: Target): string[] {
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return [`sources ${fingerprint(sources)}`, ...lines];
}

export function fingerprint(sources: readonly string[]): string {
  const digest = createHash('sha256');
  const files = globSync(sources, { withFileTypes: true, exclude: MADE })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
  for (const file of files)
    digest.update(file).update('\0').update(readFileSync(file)).update('\0');
  return digest.digest('hex');
}
