import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import manifest from './package.json' with { type: 'json' };

export default defineConfig({
  plugins: [
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/lib/paraglide',
      strategy: ['baseLocale'],
    }),
    sveltekit(),
  ],
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
