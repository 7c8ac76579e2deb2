import adapter from '@sveltejs/adapter-static';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** Kit's live region for route changes carries this one inline style. */
const ROUTE_ANNOUNCER_STYLE = 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo=';

/** @type {import('@sveltejs/kit').Config} */
export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: ({ filename }) => !filename.includes('node_modules') || undefined },
  kit: {
    // Every address is answered with the shell: the application renders on the device only.
    adapter: adapter({ fallback: 'shell.html', precompress: true }),
    // Registered by lib/mises-a-jour.ts, which asks past the HTTP cache and waits for the reader.
    serviceWorker: { register: false },
    csp: {
      mode: 'hash',
      directives: {
        'default-src': ['self'],
        // The reader of barcodes is compiled code; nothing else may be made from data.
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
