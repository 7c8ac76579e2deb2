import { m } from '#messages';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { LOCALES } from '#shared/locale';
import { noteMaterials } from './materials.ts';
import { readBuildSettings, type BuildSettings } from './settings.ts';
import { COMMON, fingerprint, makeIfStale, type Target } from './targets.ts';

const BUNDLE = 'build/server/main.js';

/** Lists the packages that contribute to the service, one folder per line. */
export const SERVER_PACKAGES = 'build/server-packages';

export const SERVICE = resolve(BUNDLE);

/** Builds the service alone, in a second: for tests that start it without the application. */
export async function buildServerIfStale(): Promise<void> {
  await makeIfStale(serverTarget(readBuildSettings()));
}

const SERVER_SOURCES = [...COMMON, 'server/**', 'scripts/**', 'migrations/**'];

export function serverTarget({ CONTACT_EMAIL }: BuildSettings): Target {
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
