import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig, type Plugin } from 'vite';
import manifest from './package.json' with { type: 'json' };

/** The frame and the catalogue come as one file with all that they need, not as some forty. */
const PREMIER_ECRAN = {
  name: 'premier-ecran',
  test: /src\/routes\/(\(catalogue\)\/)?\+(layout|page)\.svelte$/,
};

/**
 * Messages and icons are modules of a few lines: left alone, those that several screens share come
 * as some twenty files.
 */
const COMMUN = { name: 'commun', test: /src\/lib\/paraglide|@lucide/, minShareCount: 2 };

export default defineConfig({
  plugins: [
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/lib/paraglide',
      strategy: ['baseLocale'],
    }),
    sveltekit(),
    sansRequetesRxdb(),
  ],
  environments: {
    client: {
      build: {
        rolldownOptions: { output: { codeSplitting: { groups: [PREMIER_ECRAN, COMMUN] } } },
      },
    },
  },
  define: { __APPLICATION__: JSON.stringify(application()) },
  // Kit's own `cookie` is not the one at the top of node_modules, which fastify needs.
  ssr: { noExternal: ['cookie'] },
  server: { proxy: { '/api': process.env['API_URL'] || 'http://127.0.0.1:3000' } },
});

/** What the about page tells: from package.json, unless whoever builds a changed version says so. */
function application() {
  const { author, repository } = manifest;
  return {
    contact: process.env['CONTACT_EMAIL'] || author.email,
    site: process.env['AUTHOR_URL'] || author.url,
    source: process.env['SOURCE_URL'] || repository.url.replace(/^git\+|\.git$/g, ''),
  };
}

/**
 * Leaves RxDB's query language out: the screens ask the views in memory, the replica reads by keys
 * or by the whole table, and the interpreter would be 7 kB of the first load.
 */
function sansRequetesRxdb(): Plugin {
  const absente = '\0rx-query-mingo';
  return {
    name: 'sans-requetes-rxdb',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('/rx-query-mingo.js') ? absente : null),
    load: (id) =>
      id === absente
        ? "export const getMingoQuery = () => { throw new Error('RxDB queries are left out'); };"
        : null,
  };
}
