import { m } from '#messages';
import { createHash, hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { BASE_LOCALE, LOCALES, type Locale } from '#shared/locale';
import { noteMaterials } from './materials.ts';
import { patiently } from './patience.mjs';
import { runTool } from './run.ts';
import { isInstant, readBuildSettings, version, type BuildSettings } from './settings.ts';
import { packSource } from './source.ts';

const BUNDLE = 'build/server/main.js';
const SOURCE = 'build/client/source.tar.gz';

/** Lists of the packages of which the bundles contain something, a folder a line. */
export const SERVER_PACKAGES = 'build/server-packages';
export const CLIENT_PACKAGES = 'build/client-packages';

export const SERVICE = resolve(BUNDLE);

export interface Target {
  readonly sources: readonly string[];
  readonly made: string;
  readonly settings: BuildSettings;
  /** @param id the same for two builds of the same sources and settings, and for no others */
  readonly make: (id: string) => Promise<void>;
}

const COMMON = [
  'shared/**',
  'messages/**',
  'project.inlang/settings.json',
  'scripts/support/build.ts',
  'package-lock.json',
  'package.json',
];

const MADE = ['src/lib/paraglide'];

export async function build(): Promise<void> {
  const settings = checkedSettings();
  for (const target of clientTargets(settings)) await make(target);
  await make(serverTarget(settings));
  giveSource(settings);
}

/**
 * Builds what is missing, was built from other sources, or without a setting given now. A setting that is not given now
 * does not make a build stale.
 *
 * @param locales the languages of the application that are needed: each takes as long as the first
 */
export async function buildIfStale(locales: readonly Locale[] = LOCALES): Promise<void> {
  const settings = checkedSettings();
  let isMade = false;
  for (const target of clientTargets(settings, locales))
    isMade = (await makeIfStale(target)) || isMade;
  isMade = (await makeIfStale(serverTarget(settings))) || isMade;
  if (isMade) giveSource(settings);
}

function checkedSettings(): BuildSettings {
  const settings = readBuildSettings();
  const text = settings.BUILD_DATE;
  if (text !== undefined && !isInstant(text))
    throw new Error(m.operator_build_date_wrong({ text }));
  return settings;
}

/** The service alone, in a second: for tests that start it and open no application. */
export async function buildServerIfStale(): Promise<void> {
  await makeIfStale(serverTarget(readBuildSettings()));
}

/** Puts the source beside the application, unless it is published elsewhere. */
function giveSource({ SOURCE_URL }: BuildSettings): void {
  if (SOURCE_URL === undefined) packSource(SOURCE);
  else rmSync(SOURCE, { force: true });
}

const CLIENT = 'build/client';

/** The base first: it empties the folder, which the others then add to. */
const clientTargets = (settings: BuildSettings, locales: readonly Locale[] = LOCALES): Target[] =>
  LOCALES.filter((locale) => locales.includes(locale)).map((locale) =>
    clientTarget(settings, locale),
  );

function clientTarget(settings: BuildSettings, locale: Locale): Target {
  return {
    sources: [
      ...COMMON,
      'src/**',
      'static/**',
      'scripts/support/{materials,settings}.ts',
      'svelte.config.js',
      'tsconfig.json',
      'vite.config.ts',
    ],
    made: join(CLIENT, locale === BASE_LOCALE ? 'version.json' : `shell.${locale}.html`),
    settings,
    make: (id) => buildClient(settings, id, locale),
  };
}

async function buildClient(settings: BuildSettings, id: string, locale: Locale): Promise<void> {
  const isBase = locale === BASE_LOCALE;
  const folder = isBase ? CLIENT : `${CLIENT}-${locale}`;
  const env = {
    ...{ ...process.env, ...settings, BUILD_ID: id, NODE_ENV: 'production' },
    ...{ BUILD_LOCALE: locale, BUILD_FOLDER: folder },
    BUILD_FILES: isBase || !existsSync(CLIENT_FILES) ? '' : readFileSync(CLIENT_FILES, 'utf8'),
  };
  const names = new Intl.DisplayNames(m.intl_locale(), { type: 'language' });
  const tool = 'vite/bin/vite.js';
  const { ok, output } = await patiently(
    m.operator_build_application({ language: names.of(locale) ?? locale }),
    runTool(tool, ['build', '--logLevel=warn'], 'kept', env),
  );
  if (!ok) throw new Error(`${m.operator_build_failed()}\n${output}`);
  preloadFirstScreen(folder);
  noteFiles(folder, locale, env.BUILD_FILES);
  if (isBase) writeFileSync(join(CLIENT, 'version.json'), JSON.stringify(version(settings, id)));
  else addLocale(folder, locale);
}

/** Which files each language has, for the worker of the build that comes next. */
const CLIENT_FILES = 'build/client-files';

function noteFiles(folder: string, locale: Locale, before: string): void {
  const files = globSync('_app/immutable/**/*.*', { cwd: folder })
    .filter((file) => !/\.(?:br|gz)$/.test(file))
    .map((file) => `/${file.split(sep).join('/')}`)
    .sort();
  const others: unknown = JSON.parse(before || '{}');
  writeFileSync(CLIENT_FILES, JSON.stringify(Object.assign({}, others, { [locale]: files })));
}

/**
 * Adds to the base what another language has of its own: the files whose names say their content, and the page that names
 * them. Its worker, which knows the files of both, takes the place of the base's. All else is the same in both, or told
 * by the service.
 */
function addLocale(folder: string, locale: Locale): void {
  for (const file of globSync('_app/immutable/**/*.*', { cwd: folder })) {
    const there = join(CLIENT, file);
    mkdirSync(dirname(there), { recursive: true });
    cpSync(join(folder, file), there);
  }
  for (const file of globSync('shell.*', { cwd: folder }))
    cpSync(join(folder, file), join(CLIENT, file.replace('.', `.${locale}.`)));
  for (const file of globSync('service-worker.*', { cwd: folder }))
    cpSync(join(folder, file), join(CLIENT, file));
  rmSync(folder, { recursive: true });
}

/**
 * Preloads in the page the parts of screens whose code is in its first load already: one-line files, for which the
 * catalogue would otherwise wait once more after that load, 400 ms on a slow line.
 */
function preloadFirstScreen(client: string): void {
  const shell = join(client, 'shell.html');
  const page = readFileSync(shell, 'utf8');
  const links = globSync('_app/immutable/nodes/*.js', { cwd: client })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !page.includes(file) && isReexport(join(client, file), page))
    .map((file) => `\t\t<link href="/${file}" rel="modulepreload">\n`);
  writeFileSync(shell, page.replace('</head>', `${links.sort().join('')}</head>`));
}

function isReexport(module: string, page: string): boolean {
  const imported = readFileSync(module, 'utf8').match(
    /(?<=^export\{[^}]*\}from"\.\.)[^"]+(?=";?\s*$)/u,
  );
  return imported !== null && page.includes(imported[0]);
}

const SERVER_SOURCES = [...COMMON, 'server/**', 'scripts/**', 'migrations/**'];

function serverTarget({ CONTACT_EMAIL }: BuildSettings): Target {
  return {
    sources: SERVER_SOURCES,
    made: BUNDLE,
    settings: CONTACT_EMAIL === undefined ? {} : { CONTACT_EMAIL },
    make: () => buildServer(CONTACT_EMAIL),
  };
}

/** Packages with native code, which stay in `node_modules`. */
export const NATIVE = ['better-sqlite3', 'sharp'] as const;

/** Fastify's compilers of schemas, which `server/plumbing/http/framework.ts` tells it not to load. */
const NEVER_ASKED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

/**
 * Node's own in place of packages: @fastify/static uses nothing of `glob` here, and `readable-stream` is a copy of
 * `node:stream` for older versions.
 */
const OF_NODE = { glob: 'node:fs/promises', 'readable-stream': 'node:stream' };

/**
 * V8 keeps a program's text in memory, with two bytes a character where any is beyond ASCII: escaped, and without
 * blanks and comments, it takes 10 MB less. Names stay for the stacks in a log.
 */
const SMALL = { compress: false, mangle: false, codegen: true } as const;

/** Last of all: the minifier writes characters unescaped. */
const escapeBeyondAscii: Plugin = {
  name: 'escape-beyond-ascii',
  generateBundle: (_options, files) => {
    for (const file of Object.values(files))
      if (file.type === 'chunk')
        file.code = file.code
          .replace(ASTRAL_KEY, (key) => key.replace(/[^\0-\x7f]/gu, escapedPoint))
          .replace(/[^\0-\x7f]/g, escaped);
  },
};

/** The name of a property without quotes, with a sign that two units write: there their escapes are no identifier. */
const ASTRAL_KEY = /(?<=[{,])[\p{ID_Continue}$]*[\u{10000}-\u{10ffff}][\p{ID_Continue}$]*(?=:)/gu;

const escapedPoint = (sign: string): string => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What `server/start/runtime.ts` says, by language. */
const olderNode = (): Record<string, string> =>
  Object.fromEntries(
    LOCALES.map((locale) => [
      locale,
      m.operator_node_needed_by_service({ version: '{version}' }, { locale }),
    ]),
  );

/**
 * One bundle instead of some twelve hundred modules whose types are stripped at each start: it starts in half the time,
 * with 30 MB less. As CommonJS: an ES module that imports `node:http` makes Node load its own copy of undici, for names
 * that nobody uses.
 */
async function buildServer(contact = ''): Promise<void> {
  const bundle = await rolldown({
    input: [
      'server/main.ts',
      'server/start/long-write.ts',
      'server/start/nightly-backup.ts',
      'server/start/check-backup.ts',
      'server/subjects/couvertures/decoder-process.ts',
      'scripts/accounts.ts',
      'scripts/doctor.ts',
      'scripts/health.ts',
      'scripts/import.ts',
      'scripts/backup.ts',
      'scripts/restore.ts',
    ],
    platform: 'node',
    external: [...NATIVE, ...NEVER_ASKED],
    resolve: { alias: OF_NODE },
    transform: {
      define: {
        SOURCES_DIGEST: JSON.stringify(fingerprint(SERVER_SOURCES)),
        CONTACT_EMAIL: JSON.stringify(contact),
        OLDER_NODE: JSON.stringify(olderNode()),
      },
    },
  });
  await bundle.write({
    dir: 'build/server',
    cleanDir: true,
    format: 'cjs',
    chunkFileNames: '[name].js',
    minify: SMALL,
    plugins: [escapeBeyondAscii, noteMaterials(SERVER_PACKAGES)],
  });
  await bundle.close();
  writeFileSync('build/server/package.json', JSON.stringify({ type: 'commonjs' }));
  cpSync('node_modules/@fastify/swagger-ui/static', 'build/server/swagger-ui', {
    recursive: true,
    // Its page uses the bundle.
    filter: (path) => !path.endsWith('/swagger-ui.js'),
  });
  rmSync('build/migrations', { recursive: true, force: true });
  cpSync('migrations', 'build/migrations', { recursive: true });
}

/** Holds the digest of the sources and the settings of a target's last build, a line each; absent while building. */
const stampOf = ({ made }: Target): string => join('.cache', made.replace(/[^a-z]+/g, '-'));

async function make(target: Target): Promise<void> {
  const stamp = ingredients(target);
  rmSync(stampOf(target), { force: true });
  await target.make(hash('sha256', stamp.join('\n')).slice(0, 16));
  mkdirSync('.cache', { recursive: true });
  writeFileSync(stampOf(target), stamp.join('\n'));
}

export async function makeIfStale(target: Target): Promise<boolean> {
  const stamp = stampOf(target);
  const last = existsSync(target.made) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  const lines = new Set(last.split('\n'));
  const isStale = !ingredients(target).every((line) => lines.has(line));
  if (isStale) await make(target);
  return isStale;
}

function ingredients({ sources, settings }: Target): string[] {
  const told = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return [`sources ${fingerprint(sources)}`, ...told];
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
