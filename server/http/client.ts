import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#shared/refusals';
import { sendError } from './errors.ts';
import { readShell } from './shell.ts';

const SHELL = 'shell.html';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Below these nothing but what exists is answered. */
const OWN_PATHS = /^\/(?:api|_app)\//;

/** Serves the built client: its files as they are, and its page for every path that is no file. */
export async function serveClient(app: FastifyInstance, path: string): Promise<void> {
  const shell = readShell(join(path, SHELL));
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    return reads && !OWN_PATHS.test(request.url)
      ? shell.send(reply, request.headers['accept-encoding'])
      : sendError(new Refusal('INTROUVABLE'), request, reply);
  };
  // Before its body is looked at: what is nowhere is 404, whatever was sent to it.
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
    globIgnore: [`${SHELL}*`, '**/*.br', '**/*.gz'],
    setHeaders: (reply, file) => {
      const immutable = file.includes('/_app/immutable/');
      reply.header('Cache-Control', immutable ? IMMUTABLE : 'no-cache');
      // A worker runs under the policy that its own script comes with.
      reply.header('Content-Security-Policy', shell.policy);
    },
  });
}
