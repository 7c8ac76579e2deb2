import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig, type Plugin } from 'vite';
import manifest from './package.json' with { type: 'json' };

/**
 * The frame, the catalogue and the page of errors, which Kit loads with them, in one file: left alone,
 * the first screen would be some forty.
 */
const FIRST_SCREEN = {
  name: 'first-screen',
  test: /src\/routes\/(\(catalogue\)\/)?\+(layout|page|error)\.svelte$/,
};

/** Messages and icons are modules of a few lines; those that several screens share, in one file. */
const SHARED = { name: 'shared', test: /src\/lib\/paraglide|@lucide/, minShareCount: 2 };

/** What several of the other screens share: thirty small files of a page would each wait for the line. */
const SCREENS = { name: 'screens', test: /src\/lib\//, minShareCount: 3 };

export default defineConfig({
  plugins: [
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/lib/paraglide',
      strategy: ['baseLocale'],
    }),
    sveltekit(),
    withoutUnusedRxdb(),
  ],
  environments: {
    client: {
      build: {
        rolldownOptions: { output: { codeSplitting: { groups: [FIRST_SCREEN, SHARED, SCREENS] } } },
      },
    },
  },
  define: {
    __APPLICATION__: JSON.stringify(application()),
    __SCREENS__: JSON.stringify(screens()),
  },
  // Kit needs its own version of `cookie`; the one at the top of node_modules is fastify's.
  ssr: { noExternal: ['cookie'] },
  server: { proxy: { '/api': process.env['API_URL'] || 'http://127.0.0.1:3000' } },
});

/** The facts of the about page: from package.json, or from whoever builds a changed version. */
function application() {
  const { author, repository } = manifest;
  return {
    contact: process.env['CONTACT_EMAIL'] || author.email,
    site: process.env['AUTHOR_URL'] || author.url,
    source: process.env['SOURCE_URL'] || repository.url.replace(/^git\+|\.git$/g, ''),
  };
}

/** The paths of the screens, as the folders of src/routes write them. */
function screens(): string[] {
  return globSync('src/routes/**/+page.svelte').map((file) => {
    const folders = file.split(sep).slice(2, -1);
    return `/${folders.filter((folder) => !folder.startsWith('(')).join('/')}`;
  });
}

/**
 * What of RxDB is not used, 12 kB of the first load: screens search in memory and the copy is read by
 * key or by whole table, so no query is asked; the engine's tabs tell each other of changes.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  '/rx-query-mingo.js':
    "export const getMingoQuery = () => { throw new Error('RxDB queries are left out'); };",
  // cspell:disable-next-line -- RxDB's own word
  '/rx-storage-multiinstance.js':
    "export const addRxStorageMultiInstanceSupport = () => { throw new Error('RxDB tabs are left out'); };",
};

function withoutUnusedRxdb(): Plugin {
  const prefix = '\0left-out:';
  return {
    name: 'without-unused-rxdb',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      const path = Object.keys(LEFT_OUT).find((end) => source.endsWith(end));
      return path !== undefined && importer?.includes('/rxdb/') ? prefix + path : null;
    },
    load: (id) => (id.startsWith(prefix) ? LEFT_OUT[id.slice(prefix.length)] : null),
  };
}
