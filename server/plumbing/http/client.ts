import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { decodeHTML, escapeUTF8 } from 'entities';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DATA_POLICY } from './framework.ts';

const SHELL = 'shell.html';
const MANIFEST = 'manifest.webmanifest';
/** Files whose names change with their content. */
const IMMUTABLE = '_app/immutable/';

/** Where a program expects a file: a missing one is 404, never the page. */
const FILES_ONLY = /^\/(?:api\/|_app\/|\.well-known(?:\/|$)|favicon\.ico$)/;

const ROBOTS = 'User-agent: *\nDisallow: /\n';

/** Serves the files of the built client, and its page for every path that is no file (docs/rules.md § 3). */
export async function serveClient(
  app: FastifyInstance,
  path: string,
  basePath: string,
  libraryName: () => string,
): Promise<void> {
  const shell = readShell(join(path, SHELL), basePath, libraryName);
  const sendManifest = manifestSender(join(path, MANIFEST), libraryName);
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '', query] = request.url.split('?');
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || FILES_ONLY.test(path)) return reply.notFound();
    // The scope of the service worker, and addresses in the page, begin with the slash.
    if (path === basePath) return reply.redirect(query === undefined ? '/' : `/?${query}`);
    if (path === '/robots.txt') return reply.type('text/plain; charset=utf-8').send(ROBOTS);
    if (path === `/${MANIFEST}` && sendManifest) return sendManifest(reply, shell.policy);
    return shell.send(reply, request.headers['accept-encoding']);
  };
  // Before the body is read: an unknown path is 404, whatever was sent to it.
  app.addHook('onRequest', (request, reply, next) => {
    if (request.is404) answerUnknown(request, reply);
    else next();
  });
  app.setNotFoundHandler(answerUnknown);
  if (!existsSync(path)) return;
  // The plugin's own routes, one for each file, would take 9 MB and 0.15 s of a start.
  await app.register(fastifyStatic, {
    serve: false,
    root: path,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, file) => {
      if (file.includes(`/${IMMUTABLE}`)) reply.staticCache('365d');
      else reply.cacheControl('no-cache');
      // A worker runs under the policy in the answer of its script.
      reply.header('Content-Security-Policy', shell.policy);
    },
  });
  const files = filesIn(path);
  for (const file of files)
    if (!file.startsWith(IMMUTABLE)) app.get(`/${file}`, (_request, reply) => reply.sendFile(file));
  app.get<{ Params: { '*': string } }>(`/${IMMUTABLE}*`, ({ params }, reply) => {
    const file = IMMUTABLE + params['*'];
    if (files.has(file)) reply.sendFile(file);
    else reply.callNotFound();
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

const ENCODINGS = { br: brotliCompressSync, gzip: gzipSync } as const;

interface Shell {
  /** With the hashes of the build's scripts, and no frame around the page. */
  readonly policy: string;
  send(reply: FastifyReply, acceptEncoding: string | undefined): FastifyReply;
}

/** Compresses the page anew when the library's name changes (docs/rules.md § 31). Without a build, the page says so. */
function readShell(path: string, basePath: string, libraryName: () => string): Shell {
  if (!existsSync(path)) return noBuild;
  const built = movedTo(basePath, readFileSync(path, 'utf8'));
  const policy = `${policyOf(built)}; frame-ancestors 'none'`;
  let latest: ReturnType<typeof encodedPage> | undefined;
  return {
    policy,
    send(reply, acceptEncoding) {
      const name = libraryName();
      if (name !== latest?.name) latest = encodedPage(built, name);
      const { page, encoded } = latest;
      const accepted = acceptedEncodings(acceptEncoding);
      const found = encoded.find(({ encoding }) => accepted.has(encoding));
      if (found) reply.header('Content-Encoding', found.encoding);
      return reply
        .cacheControl('no-cache')
        .header('Content-Security-Policy', policy)
        .type('text/html; charset=utf-8')
        .send(found?.bytes ?? page);
    },
  };
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

function encodedPage(built: string, name: string) {
  const page = named(built, name);
  const encoded = Object.entries(ENCODINGS).map(([encoding, compress]) => ({
    encoding,
    bytes: compress(page),
  }));
  return { name, page, encoded };
}

/** Also where the client reads it (src/lib/ui/library-name.ts). */
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

function acceptedEncodings(header = ''): ReadonlySet<string> {
  const named = header.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  return new Set(named.filter(([, q = '1']) => Number(q) > 0).map(([name = '']) => name));
}

const noBuild: Shell = {
  policy: DATA_POLICY,
  send: (reply) =>
    reply
      .code(503)
      .cacheControl('no-store')
      .type('text/html; charset=utf-8')
      .send(
        '<!doctype html><html lang="fr"><meta charset="utf-8"><title>Rayonnage</title>' +
          '<p>L’application n’est pas construite : lancez <code>npm run build</code>, puis ' +
          'relancez le serveur.</p></html>',
      ),
};

/** `null` without a build. Each answer has the library's name (docs/rules.md § 31). */
function manifestSender(path: string, libraryName: () => string) {
  if (!existsSync(path)) return null;
  const built: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return (reply: FastifyReply, policy: string): FastifyReply => {
    const name = libraryName();
    // Bytes, since a string would get a charset, which this type does not have.
    const bytes = Buffer.from(JSON.stringify(Object.assign({}, built, { name, short_name: name })));
    return reply
      .cacheControl('no-cache')
      .header('Content-Security-Policy', policy)
      .type('application/manifest+json')
      .send(bytes);
  };
}
