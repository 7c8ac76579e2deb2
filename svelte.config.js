import { readFileSync } from 'node:fs';
import adapter from '@sveltejs/adapter-static';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** The language of this build (scripts/support/client-build.ts), of which the page before the application says three things. */
const locale = process.env.BUILD_LOCALE || 'fr';
const messages = JSON.parse(readFileSync(`messages/${locale}.json`, 'utf8'));
process.env.PUBLIC_LOCALE = locale;
process.env.PUBLIC_DESCRIPTION = messages.manifest_description;
process.env.PUBLIC_START_FAILED = messages.start_failed;
process.env.PUBLIC_RETRY = messages.retry;

/** The one inline style: of Kit's live region, which announces changes of route. */
const ROUTE_ANNOUNCER_STYLE = 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo=';

/** @type {import('@sveltejs/kit').Config} */
export default {
  preprocess: vitePreprocess(),
  // The page of the workshop (src/atelier) has an ending that no build knows.
  extensions: process.env.ATELIER ? ['.svelte', '.atelier'] : ['.svelte'],
  compilerOptions: { runes: ({ filename }) => !filename.includes('node_modules') || undefined },
  kit: {
    // Languages are built side by side.
    outDir: locale === 'fr' ? '.svelte-kit' : `.svelte-kit/${locale}`,
    // Of the sources (`scripts/support/targets.ts`) and not of the hour, so that two builds of one commit are equal.
    version: { name: process.env.BUILD_ID ?? String(Date.now()) },
    // The server answers the routes of the application with the shell; it renders on the device only.
    adapter: adapter({
      pages: process.env.BUILD_FOLDER || 'build/client',
      fallback: 'shell.html',
      precompress: true,
    }),
    // Registered by hand: past the HTTP cache, and a new version waits for the reader.
    serviceWorker: {
      register: false,
      // What a shop of applications shows before there is one on the device.
      files: (path) => !path.startsWith('screenshots/'),
    },
    csp: {
      mode: 'hash',
      directives: {
        'default-src': ['self'],
        // `wasm-unsafe-eval` for the barcode decoder, which is WebAssembly.
        'script-src': ['self', 'wasm-unsafe-eval'],
        'style-src': ['self'],
        'style-src-attr': ['unsafe-hashes', ROUTE_ANNOUNCER_STYLE],
        'img-src': ['self', 'data:', 'blob:'],
        'font-src': ['self'],
        'connect-src': ['self'],
        'worker-src': ['self'],
        'manifest-src': ['self'],
        'object-src': ['none'],
        'base-uri': ['none'],
        'form-action': ['self'],
        'frame-src': ['none'],
      },
    },
  },
};
