import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readManifest } from './manifest.ts';
import { readShell } from './shell.ts';

const SHELL = 'shell.html';
const MANIFEST = 'manifest.webmanifest';
/** Files whose names change with what is in them. */
const IMMUTABLE = '_app/immutable/';

/** Where a program looks for a file of its own: what is not there is 404, never the page. */
const FILES_ONLY = /^\/(?:api\/|_app\/|\.well-known(?:\/|$)|favicon\.ico$)/;

/** A household's library is nothing for a search engine. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';

/**
 * Serves the built client: its files as they are, and its page for every path that is no file
 * (docs/rules.md § 3).
 *
 * @param path the folder of the built client
 * @param basePath where it lives on its host
 */
export async function serveClient(
  app: FastifyInstance,
  path: string,
  basePath: string,
  libraryName: () => string,
): Promise<void> {
  const shell = readShell(join(path, SHELL), basePath, libraryName);
  const manifest = readManifest(join(path, MANIFEST), libraryName);
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '', query] = request.url.split('?');
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || FILES_ONLY.test(path)) return reply.notFound();
    // The worker's scope and addresses of what the page loads begin with the slash.
    if (path === basePath) return reply.redirect(query === undefined ? '/' : `/?${query}`);
    if (path === '/robots.txt') return reply.type('text/plain; charset=utf-8').send(ROBOTS);
    if (path === `/${MANIFEST}` && manifest !== null) return manifest.send(reply, shell.policy);
    return shell.send(reply, request.headers['accept-encoding']);
  };
  // Before the body is read: an unknown path is 404, whatever was sent to it.
  app.addHook('onRequest', (request, reply, next) => {
    if (request.is404) answerUnknown(request, reply);
    else next();
  });
  app.setNotFoundHandler(answerUnknown);
  if (!existsSync(path)) return;
  // Its own routes, one for each file that a library finds, would take 9 MB and 0.15 s of a start.
  await app.register(fastifyStatic, {
    serve: false,
    root: path,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, file) => {
      if (file.includes(`/${IMMUTABLE}`)) reply.staticCache('365d');
      else reply.cacheControl('no-cache');
      // A worker runs under the policy of its own script's answer.
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

/** The files of a folder that are served as they are, by their paths in it. */
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
