import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { decodeHTML, escapeUTF8 } from 'entities';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DATA_POLICY } from './framework.ts';

const SHELL = 'shell.html';
const MANIFEST = 'manifest.webmanifest';
/** Files whose names change with their content. */
const IMMUTABLE = '_app/immutable/';

/** Where a program expects a file: a missing one is 404, never the page. */
const FILES_ONLY = /^\/(?:api\/|_app\/|\.well-known(?:\/|$)|favicon\.ico$)/;

const ROBOTS = 'User-agent: *\nDisallow: /\n';

const NO_BUILD =
  '<!doctype html><html lang="fr"><meta charset="utf-8"><title>Rayonnage</title>' +
  '<p>L’application n’est pas construite : lancez <code>npm run build</code>, puis ' +
  'relancez le serveur.</p></html>';

/** Serves the files of the built client, and its page for every path that is no file (docs/rules.md § 3). */
export async function serveClient(
  app: FastifyInstance,
  path: string,
  basePath: string,
  libraryName: () => string,
): Promise<void> {
  const isBuilt = existsSync(join(path, SHELL));
  const page = isBuilt ? movedTo(basePath, readFileSync(join(path, SHELL), 'utf8')) : NO_BUILD;
  // With the hashes of the build's scripts, and no frame around the page.
  const policy = isBuilt ? `${policyOf(page)}; frame-ancestors 'none'` : DATA_POLICY;
  const addHeaders = (reply: FastifyReply): FastifyReply =>
    reply.cacheControl('no-cache').header('Content-Security-Policy', policy);
  // Before the body is read: an unknown path is 404, whatever was sent to it.
  app.addHook('onRequest', (request, _reply, next) => {
    next(request.is404 ? app.httpErrors.notFound() : undefined);
  });
  app.setNotFoundHandler((_request, reply) => reply.notFound());
  app.get('/*', (request, reply) => {
    const [address = '', query] = request.url.split('?');
    if (FILES_ONLY.test(address)) return reply.notFound();
    // The scope of the service worker, and addresses in the page, begin with the slash.
    if (address === basePath) return reply.redirect(query === undefined ? '/' : `/?${query}`);
    return addHeaders(reply)
      .code(isBuilt ? 200 : 503)
      .type('text/html; charset=utf-8')
      .send(named(page, libraryName()));
  });
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(ROBOTS));
  if (!isBuilt) return;
  const manifest: unknown = JSON.parse(readFileSync(join(path, MANIFEST), 'utf8'));
  app.get(`/${MANIFEST}`, (_request, reply) => {
    const name = libraryName();
    const text = JSON.stringify(Object.assign({}, manifest, { name, short_name: name }));
    // Bytes, since a string would get a charset, which this type does not have.
    return addHeaders(reply).type('application/manifest+json').send(Buffer.from(text));
  });
  // The plugin's own routes, one for each file, would take 9 MB and 0.15 s of a start.
  await app.register(fastifyStatic, {
    serve: false,
    root: path,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, file) => {
      // A worker runs under the policy in the answer of its script.
      addHeaders(reply);
      if (file.includes(`/${IMMUTABLE}`)) reply.staticCache('365d');
    },
  });
  const files = filesIn(path);
  for (const file of files)
    if (!file.startsWith(IMMUTABLE)) app.get(`/${file}`, (_request, reply) => reply.sendFile(file));
  app.get<{ Params: { '*': string } }>(`/${IMMUTABLE}*`, ({ params }, reply) => {
    const file = IMMUTABLE + params['*'];
    if (files.has(file)) reply.sendFile(file);
    else reply.notFound();
  });
}

function filesIn(folder: string): Set<string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'));
  return new Set(
    paths.filter(
      (file) => file !== SHELL && file !== MANIFEST && !/\.br$|(?<!\.tar)\.gz$/.test(file),
    ),
  );
}

/**
 * The page as if built for a base: the files that it loads, the base that Kit prefixes to links, and the policy's hash
 * of that script.
 */
function movedTo(basePath: string, page: string): string {
  if (basePath === '') return page;
  const moved = page
    .replace(/(\b(?:href|src)="|\bimport\(")\//g, `$1${basePath}/`)
    .replace(/(\bbase: )""/, `$1"${basePath}"`);
  return moved.replace(hashOfScript(page), hashOfScript(moved));
}

function hashOfScript(page: string): string {
  const script = /<script>([^]*?)<\/script>/.exec(page)?.[1];
  if (script === undefined) throw new Error('The built page has no script');
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/** Also where the client reads it (src/lib/ui/library-name.svelte.ts). */
function named(page: string, libraryName: string): string {
  const name = escapeUTF8(libraryName);
  return page
    .replace(/(<title>)[^<]*/, (_, tag: string) => tag + name)
    .replace(/(<div id="skeleton"[^>]*>\s*<p>)[^<]*/, (_, tag: string) => tag + name)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, tag: string) => tag + name);
}

/** SvelteKit writes the policy, with the hashes of the page's scripts, in a meta tag. */
function policyOf(page: string): string {
  const tag = /<meta\s+http-equiv="content-security-policy"\s+content="([^"]*)"/i.exec(page);
  if (tag?.[1] === undefined) throw new Error('The built page has no content security policy');
  return decodeHTML(tag[1]);
}
