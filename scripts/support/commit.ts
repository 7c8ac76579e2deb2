import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

/** The name of an archive's version, and the date of its sources. */
export interface Build {
  readonly version: string;
  readonly date: string;
}

const DIGITS = 7;

/** From `VERSION` and `BUILD_DATE`, otherwise from the checkout. */
export function describeBuild(): Build {
  const { VERSION = '', BUILD_DATE = '' } = process.env;
  if (VERSION !== '' && BUILD_DATE !== '') return { version: VERSION, date: BUILD_DATE };
  const { version, date } = describeCheckout();
  return { version: VERSION || version, date: BUILD_DATE || date };
}

/**
 * The build of a clone: `1.0.0` at its tag, otherwise `1.0.0+28cf73b`, and `1.0.0+28cf73b.5e1d0aa` if files differ
 * from the commit. Different sources give different names; the date is the commit's.
 *
 * @throws Error outside of a clone
 */
export function describeCheckout(folder = '.'): Build {
  const git = (...line: string[]) =>
    execFileSync('git', line, { cwd: folder, encoding: 'utf8' }).trim();
  const commit = `${manifest.version}+${git('rev-parse', 'HEAD').slice(0, DIGITS)}`;
  if (git('status', '--porcelain') !== '') {
    const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
    return { version: `${commit}.${digestOf(folder, files)}`, date: new Date().toISOString() };
  }
  const isReleased = git('tag', '--points-at', 'HEAD').split('\n').includes(`v${manifest.version}`);
  const date = new Date(Number(git('log', '-1', '--format=%ct')) * 1000).toISOString();
  return { version: isReleased ? manifest.version : commit, date };
}

function digestOf(folder: string, files: readonly string[]): string {
  const digest = createHash('sha256');
  for (const file of files.toSorted().filter(Boolean)) {
    const path = join(folder, file);
    // A removed file has a name, but no content.
    digest.update(`${file}\0`).update(existsSync(path) ? readFileSync(path) : '');
  }
  return digest.digest('hex').slice(0, DIGITS);
}
