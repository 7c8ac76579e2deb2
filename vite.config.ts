import { globSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { sveltekit } from '@sveltejs/kit/vite';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { noteMaterials } from './scripts/support/materials.ts';
import { SPLIT_MESSAGES } from './scripts/support/messages.ts';
import { aboutFacts } from './scripts/support/settings.ts';
import { BASE_LOCALE } from './shared/locale.ts';

const BUILD_LOCALE = process.env['BUILD_LOCALE'] || BASE_LOCALE;

/** The frame, the catalogue and the page of errors in one file: left alone, the first screen would be some forty. */
const FIRST_SCREEN = {
  name: 'first-screen',
  test: /src\/routes\/(\(catalogue\)\/)?\+(layout|page|error)\.svelte$/,
};

/** What every start loads behind it. */
const LATE = {
  name: 'late',
  test: /src\/(service-worker\/page\.ts|lib\/(couvertures\/jacket\/typeset-jacket\.ts|frame\/late\.ts|livres\/cover-transition\.ts|sync\/household-note\.svelte\.ts|ui\/(NearWindow\.svelte|rendered-portion\.svelte\.ts)))$/,
};

/** What comes at a quiet moment of each start, and would else load what all screens share: « Chez nous », and the print. */
const QUIET = {
  name: 'quiet',
  test: /src\/lib\/livres\/(catalogue\/(ChezNousSection\.svelte|exemplaires\.ts)|print\/CataloguePrint\.svelte)$/,
};

/** The sheet of « Ajouter », which opens at once because every start loads it behind all the rest. */
const ADD = { name: 'add', test: /src\/routes\/livres\/ajouter\/\+page\.svelte$/ };

/** RxDB in one file with what opens a copy; its storage stays apart, which throws where site data is blocked. */
const COPY = { name: 'copy', test: /src\/lib\/sync\/replica-manager\.ts$/ };

/** Messages and icons are modules of a few lines; those that several screens share, in one file. */
const SHARED = { name: 'shared', test: /\.cache\/.*messages|@lucide/, minShareCount: 2 };

/** What several of the other screens share: thirty small files of a page would each wait for the line. */
const SCREENS = { name: 'screens', test: /src\/lib\/(?!sync\/)/, minShareCount: 3 };

export default defineConfig(({ command }) => ({
  // The builds of several languages run side by side: Vite locks one folder against a second.
  cacheDir: command === 'build' ? `.cache/vite/${BUILD_LOCALE}` : 'node_modules/.vite',
  plugins: [
    // While one develops, a sentence that is changed is on the screen at once; else `scripts/launch.mjs` has made them.
    process.env['ATELIER']
      ? paraglideVitePlugin({
          project: './project.inlang',
          outdir: './src/lib/paraglide',
          strategy: ['baseLocale'],
          outputStructure: 'locale-modules',
        })
      : [],
    sveltekit(),
    command === 'build' && splitMessages(),
    {
      ...noteMaterials('build/client-packages'),
      applyToEnvironment: ({ name }) => name === 'client',
    },
  ],
  environments: {
    client: {
      // RxJS as today's browsers read it.
      resolve: { conditions: ['es2015', ...defaultClientConditions] },
      build: {
        // The policy of the page loads no font from an address that holds it.
        assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
        rolldownOptions: {
          treeshake: {
            manualPureFunctions: [
              // RxDB advertises in everybody's console, and its only switch comes with a purchase.
              'console.warn',
              // A screen that asks for none of the shapes of a file of `shared` carries none.
              'Type',
            ],
          },
          output: {
            codeSplitting: { groups: [FIRST_SCREEN, LATE, QUIET, COPY, ADD, SHARED, SCREENS] },
          },
        },
      },
    },
  },
  define: {
    __APPLICATION__: JSON.stringify(aboutFacts()),
    __SCREENS__: JSON.stringify(screens()),
  },
  resolve: {
    // A build holds the manual's pictures of its own language.
    alias: { '$manual-pictures': resolve('src/lib/aide/pictures', BUILD_LOCALE) },
  },
  // Kit needs its own version of `cookie`; the one at the top of node_modules is fastify's.
  ssr: { noExternal: ['cookie'] },
  server: { proxy: { '/api': process.env['API_URL'] || 'http://127.0.0.1:3000' } },
}));

/** The paths of the screens, as the folders of src/routes write them. */
function screens(): string[] {
  return globSync('src/routes/**/+page.svelte').map((file) => {
    const folders = file.split(sep).slice(2, -1);
    return `/${folders.filter((folder) => !folder.startsWith('(')).join('/')}`;
  });
}

/** A build of one language reads a module a message (`scripts/support/messages.ts`), behind Kit, whose `$lib` would come first. */
function splitMessages(): Plugin {
  const folder = resolve(process.env['BUILD_MESSAGES'] || SPLIT_MESSAGES);
  return {
    name: 'split-messages',
    config: () => ({
      resolve: {
        alias: { '$lib/paraglide': folder, '#messages': `${folder}/messages.js` },
      },
      define: { 'globalThis.__PARAGLIDE_STATIC_LOCALE__': JSON.stringify(BUILD_LOCALE) },
    }),
  };
}
