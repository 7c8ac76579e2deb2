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
import { availableParallelism } from 'node:os';
import { join, resolve, sep } from 'node:path';
import PQueue from 'p-queue';
import { rolldown } from 'rolldown';
import { BASE_LOCALE, LOCALES, type Locale } from '#shared/locale';
import { noteMaterials } from './materials.ts';
import { SPLIT_MESSAGES } from './messages.ts';
import { patiently } from './patience.mjs';
import { runTool } from './run.ts';
import { isInstant, readBuildSettings, version, type BuildSettings } from './settings.ts';
import { packSource } from './source.ts';

const BUNDLE = 'build/server/main.js';
const SOURCE = 'build/client/source.tar.gz';

/** Lists of the packages that contribute to the bundles, one folder per line. */
export const SERVER_PACKAGES = 'build/server-packages';
export const CLIENT_PACKAGES = 'build/client-packages';

export const SERVICE = resolve(BUNDLE);

export interface Target {
  readonly sources: readonly string[];
  readonly made: string;
  readonly settings: BuildSettings;
  /** @param id identifies the sources and settings of the build */
  readonly make: (id: string) => Promise<void>;
  /** Moves the result into its place. */
  readonly place?: (id: string) => void;
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
  await patiently(building(LOCALES), makeAll([...clientTargets(settings), serverTarget(settings)]));
  giveSource(settings);
}

/**
 * Builds every missing or stale target. A build is stale if its sources have changed, or a setting given now differs;
 * a setting that is not given now does not make a build stale.
 *
 * @param locales the required languages of the application
 */
export async function buildIfStale(locales: readonly Locale[] = LOCALES): Promise<void> {
  const settings = checkedSettings();
  const clients = staleClients(settings, locales);
  const stale = [...clients, ...[serverTarget(settings)].filter(isStale)];
  if (stale.length === 0) return;
  const work = makeAll(stale);
  await (clients.length === 0
    ? work
    : patiently(building(clients.map(({ locale }) => locale)), work));
  giveSource(settings);
}

/** Builds the other languages while the library is open; the service finds them. */
export async function buildBehind(): Promise<void> {
  const clients = staleClients(checkedSettings());
  if (clients.length === 0) return;
  const language = listed(clients.map(({ locale }) => locale));
  console.log(m.operator_build_behind({ language }));
  await makeAll(clients);
  console.log(m.operator_build_behind_done({ language }));
}

const building = (locales: readonly Locale[]): string =>
  m.operator_build_application({ language: listed(locales) });

function listed(locales: readonly Locale[]): string {
  const names = new Intl.DisplayNames(m.intl_locale(), { type: 'language' });
  return new Intl.ListFormat(m.intl_locale()).format(
    locales.map((locale) => names.of(locale) ?? locale),
  );
}

function checkedSettings(): BuildSettings {
  const settings = readBuildSettings();
  const text = settings.BUILD_DATE;
  if (text !== undefined && !isInstant(text))
    throw new Error(m.operator_build_date_wrong({ text }));
  return settings;
}

/** Builds the service alone, in a second: for tests that start it without the application. */
export async function buildServerIfStale(): Promise<void> {
  await makeIfStale(serverTarget(readBuildSettings()));
}

/** Puts the source archive beside the application, unless it is published elsewhere. */
function giveSource({ SOURCE_URL }: BuildSettings): void {
  if (SOURCE_URL === undefined) packSource(SOURCE);
  else rmSync(SOURCE, { force: true });
}

const CLIENT = 'build/client';

/** The application in one language. */
interface ClientTarget extends Target {
  readonly locale: Locale;
}

/** The base language first, since it is placed first. */
const clientTargets = (
  settings: BuildSettings,
  locales: readonly Locale[] = LOCALES,
): ClientTarget[] =>
  LOCALES.filter((locale) => locales.includes(locale)).map((locale) =>
    clientTarget(settings, locale),
  );

/** A new base deletes the other languages from its folder. */
function staleClients(settings: BuildSettings, locales?: readonly Locale[]): ClientTarget[] {
  const isBaseStale = isStale(clientTarget(settings, BASE_LOCALE));
  return clientTargets(settings, locales).filter((target) => isBaseStale || isStale(target));
}

const shellOf = (locale: Locale): string =>
  locale === BASE_LOCALE ? 'shell.html' : `shell.${locale}.html`;

function clientTarget(settings: BuildSettings, locale: Locale): ClientTarget {
  return {
    locale,
    sources: [
      ...COMMON,
      'src/**',
      'static/**',
      'scripts/support/{materials,messages,settings}.ts',
      'svelte.config.js',
      'tsconfig.json',
      'vite.config.ts',
    ],
    made: join(CLIENT, shellOf(locale)),
    settings,
    make: (id) =>
      buildClient(settings, id, { locale, messages: SPLIT_MESSAGES, folder: folderOf(locale) }),
    place: (id) => placeClient(settings, id, locale),
  };
}

/** The build folder of a language. */
const folderOf = (locale: Locale): string => `.cache/client/${locale}`;

/** @param messages the folder of the message modules (`messages.ts`) */
export async function buildClient(
  settings: BuildSettings,
  id: string,
  { locale, messages, folder }: Readonly<{ locale: Locale; messages: string; folder: string }>,
): Promise<void> {
  const { ok, output } = await runTool('vite/bin/vite.js', ['build', '--logLevel=warn'], 'kept', {
    ...process.env,
    ...settings,
    BUILD_ID: id,
    BUILD_LOCALE: locale,
    BUILD_MESSAGES: messages,
    BUILD_FOLDER: folder,
    NODE_ENV: 'production',
  });
  if (!ok) throw new Error(`${m.operator_build_failed()}\n${output}`);
  preloadFirstScreen(folder);
  writeFileSync(
    join(folder, `files.${locale}.json`),
    JSON.stringify({ version: id, files: ownFiles(folder).map((file) => `/${file}`) }),
  );
}

/** Files with a hash in their name, as the HTML lists them. */
const ownFiles = (folder: string): string[] =>
  globSync('_app/immutable/**/*.*', { cwd: folder })
    .filter((file) => !/\.(?:br|gz)$/.test(file))
    .map((file) => file.split(sep).join('/'))
    .sort();

/**
 * Preloads components whose code is in the first load already: one-line files, for which the catalogue would
 * otherwise wait after that load, 400 ms on a slow line.
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

/**
 * The base language replaces the whole folder. Another language adds its own files: those with a hash in their name,
 * their list for the service worker, and last its HTML. All other files are the same, or generated by the service.
 */
function placeClient(settings: BuildSettings, id: string, locale: Locale): void {
  const folder = folderOf(locale);
  const add = (file: string, name = file): void => cpSync(join(folder, file), join(CLIENT, name));
  if (locale === BASE_LOCALE) {
    rmSync(CLIENT, { recursive: true, force: true });
    cpSync(folder, CLIENT, { recursive: true });
    writeFileSync(join(CLIENT, 'version.json'), JSON.stringify(version(settings, id)));
  } else {
    for (const file of globSync('_app/immutable/**/*.*', { cwd: folder })) add(file);
    add(`files.${locale}.json`);
    add('shell.html', shellOf(locale));
  }
  rmSync(folder, { recursive: true });
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

/** Fastify's schema compilers, which `server/plumbing/http/framework.ts` disables. */
const NEVER_ASKED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

/**
 * Node's own modules in place of packages: @fastify/static calls nothing of `glob` here, and `readable-stream` is a
 * copy of `node:stream` for older versions.
 */
const OF_NODE = { glob: 'node:fs/promises', 'readable-stream': 'node:stream' };

/** The sentence of `server/start/runtime.ts`, by language. */
const olderNode = (): Record<string, string> =>
  Object.fromEntries(
    LOCALES.map((locale) => [
      locale,
      m.operator_node_needed_by_service({ version: '{version}' }, { locale }),
    ]),
  );

/**
 * Bundles the server into one file, instead of some twelve hundred modules whose types are stripped at each start:
 * half the start-up time and 30 MB less. As CommonJS, because an ES module that imports `node:http` makes Node load
 * its own copy of undici.
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
    // The one at the root extends a file of SvelteKit's, which is missing until the client is built.
    tsconfig: 'server/tsconfig.json',
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
    plugins: [noteMaterials(SERVER_PACKAGES)],
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

/** Builds in parallel on the available processors, then places the results in order. */
async function makeAll(targets: readonly Target[]): Promise<void> {
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

function isStale(target: Target): boolean {
  const stamp = stampOf(target);
  const last = existsSync(target.made) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  const lines = new Set(last.split('\n'));
  return !ingredients(target).every((line) => lines.has(line));
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
