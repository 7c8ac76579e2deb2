import { m } from '#messages';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const NAME = 'rayonnage-source';

/** Folders of a checkout that are no sources, if `git` is missing. */
const NO_SOURCES = ['.git', '.cache', '.svelte-kit', 'build', 'data', 'dist', 'node_modules'];

/**
 * Packs the sources of a build as `.tar.gz`, without history: those of the commit, with changed files. The AGPL
 * (version 3, section 13) entitles users over a network to them.
 *
 * @throws Error if neither `git` nor `tar` works
 */
export function packSource(file: string, folder = '.'): void {
  const path = resolve(file);
  try {
    archive(path, folder);
  } catch {
    packFolder(path, folder);
  }
}

function archive(file: string, folder: string): void {
  const index = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  const git = (...line: string[]) =>
    execFileSync('git', line, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_INDEX_FILE: join(index, 'index') },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    git('add', '--all', '.');
    const tree = git('write-tree');
    // The commit's time is used for the files, so that two archives of it are identical.
    const source = tree === git('rev-parse', 'HEAD^{tree}') ? 'HEAD' : tree;
    git('archive', '--format=tar.gz', `--prefix=${NAME}/`, `--output=${file}`, source);
  } finally {
    rmSync(index, { recursive: true });
  }
}

function packFolder(file: string, folder: string): void {
  const without = NO_SOURCES.map((name) => `--exclude=./${name}`);
  try {
    execFileSync('tar', ['-czf', file, ...without, '-C', folder, '.'], { stdio: 'ignore' });
  } catch (error) {
    throw new Error(m.operator_build_no_source(), { cause: error });
  }
}
