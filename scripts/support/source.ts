import { m } from '#messages';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const NAME = 'rayonnage-source';

/** Folders of a checkout that are no sources, if `git` is missing. */
const NO_SOURCES = ['.git', '.cache', '.svelte-kit', 'build', 'data', 'dist', 'node_modules'];

/**
 * Packs the sources of a build as `.tar.gz`, without history: those of the commit, with changed files. The AGPL
 * (version 3, section 13) entitles users over a network to them.
 *
 * @throws Error if neither `git` nor `tar` works
 */
export async function packSource(file: string, folder = '.'): Promise<void> {
  const path = resolve(file);
  try {
    await archive(path, folder);
  } catch {
    await packFolder(path, folder);
  }
}

async function archive(file: string, folder: string): Promise<void> {
  const index = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  const git = async (...line: string[]) => {
    const env = { ...process.env, GIT_INDEX_FILE: join(index, 'index') };
    const { stdout } = await run('git', line, { cwd: folder, env });
    return stdout.trim();
  };
  try {
    await git('add', '--all', '.');
    const tree = await git('write-tree');
    // The commit's time is used for the files, so that two archives of it are identical.
    const source = tree === (await git('rev-parse', 'HEAD^{tree}')) ? 'HEAD' : tree;
    await git('archive', '--format=tar.gz', `--prefix=${NAME}/`, `--output=${file}`, source);
  } finally {
    rmSync(index, { recursive: true });
  }
}

async function packFolder(file: string, folder: string): Promise<void> {
  const without = NO_SOURCES.map((name) => `--exclude=./${name}`);
  try {
    await run('tar', ['-czf', file, ...without, '-C', folder, '.']);
  } catch (error) {
    throw new Error(m.operator_build_no_source(), { cause: error });
  }
}
