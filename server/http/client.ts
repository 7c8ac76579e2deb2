import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { httpErrors } from '@fastify/sensible';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from './errors.ts';
import { readManifest } from './manifest.ts';
import { readShell } from './shell.ts';

const SHELL = 'shell.html';
const MANIFEST = 'manifest.webmanifest';
const YEAR_S = 365 * 24 * 3600;

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
    if (!reads || FILES_ONLY.test(path)) return sendError(httpErrors.notFound(), request, reply);
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
  await app.register(fastifyStatic, {
    root: path,
    preCompressed: true,
    wildcard: false,
    index: false,
    cacheControl: false,
    decorateReply: false,
    globIgnore: [`${SHELL}*`, MANIFEST, '**/*.br', '**/*.gz'],
    setHeaders: (reply, file) => {
      if (file.includes('/_app/immutable/')) reply.staticCache(YEAR_S);
      else reply.removeHeader('Cache-Control').cacheControl('no-cache');
      // A worker runs under the policy of its own script's answer.
      reply.header('Content-Security-Policy', shell.policy);
    },
  });
}
