import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runTool } from './run.ts';
import { readBuildSettings, version, type BuildSettings } from './settings.ts';

/** Inputs of the build. */
const SOURCES = [
  'src/**',
  'shared/**',
  'messages/**',
  'static/**',
  'project.inlang/settings.json',
  'package-lock.json',
  'package.json',
  'scripts/support/{build,settings}.ts',
  'svelte.config.js',
  'tsconfig.json',
  'vite.config.ts',
];
/** Made from the sources while building. */
const MADE = ['src/lib/paraglide'];

/** The digest of the sources and the settings of the last build, a line each; absent while building. */
const STAMP = '.cache/build';

/** Builds the client into `build/`, with `build/version.json` for the server to read. */
export async function build(settings: BuildSettings = readBuildSettings()): Promise<void> {
  const report = version(settings);
  const stamp = ingredients(settings);
  rmSync(STAMP, { force: true });
  console.log('Construction de l’application…');
  const env = { ...process.env, ...settings, NODE_ENV: 'production' };
  const { ok, output } = await runTool(
    'vite/bin/vite.js',
    ['build', '--logLevel=warn'],
    'kept',
    env,
  );
  if (!ok) throw new Error(`L’application n’a pas pu être construite.\n${output}`);
  writeFileSync('build/version.json', JSON.stringify(report));
  mkdirSync('.cache', { recursive: true });
  writeFileSync(STAMP, stamp.join('\n'));
}

/**
 * Builds when there is no build, or when it is of other sources, or was not told a setting that is
 * given here; a setting that is not given here leaves the build as it is.
 */
export async function buildIfStale(): Promise<void> {
  const settings = readBuildSettings();
  const last =
    existsSync('build/version.json') && existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
  const lines = new Set(last.split('\n'));
  if (!ingredients(settings).every((line) => lines.has(line))) await build(settings);
}

function ingredients(settings: BuildSettings): string[] {
  const told = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return [`sources ${fingerprint()}`, ...told];
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { withFileTypes: true, exclude: MADE })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
