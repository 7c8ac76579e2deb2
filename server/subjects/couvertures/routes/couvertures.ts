import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as couvertures from '#shared/couvertures';
import type { Reader } from '#server/plumbing/database/reader';
import { sendError, toRefusal } from '#server/plumbing/http/errors';
import { ownerOf } from '#server/plumbing/http/identity';
import { logFailure } from '#server/plumbing/http/log';
import { mount } from '#server/plumbing/http/mount';
import { readBatch, readCouverture, readImage } from '../domain/couverture.ts';
import type { Covers } from '../domain/covers.ts';
import { endDecoder } from '../domain/decoder.ts';
import { adressesOf } from '../store/queue.ts';

/** Covers hardly ever change, and a new one has a new address. */
const RELAYED_AGE = '30d';
/** What has a key never changes. */
const KEPT_AGE = '365d';

export function couverturesRoutes(
  app: FastifyInstance,
  { covers, database }: { covers: Covers; database: Reader },
): void {
  const { fetcher } = covers;

  void app.register(async (scope) => {
    // An invalid query string is refused with the same 404 as an unknown address: nothing is disclosed.
    scope.setErrorHandler((error: Partial<FastifyError>, request, reply) => {
      const { status } = toRefusal(error);
      if (status === 401 || status === 403) return sendError(error, request, reply);
      if (status >= 500) logFailure(request.log, error);
      return sendError(scope.httpErrors.notFound(), request, reply);
    });
    mount(scope, couvertures.lireCouverture, async ({ query, utilisateur, request, reply }) => {
      const asker = { owner: ownerOf(request), signal: request.signal };
      const image = await readCouverture(database, covers, { url: query.url, utilisateur, asker });
      sandbox(reply, RELAYED_AGE).type(image.type);
      return image.content;
    });
  });

  mount(app, couvertures.lireImage, async ({ params, utilisateur, request, reply }) => {
    const { cle, taille } = params;
    const owner = ownerOf(request);
    const image = await readImage(database, covers, { cle, taille, utilisateur, owner });
    const etag = `"${cle}-${taille}"`;
    sandbox(reply, KEPT_AGE).header('ETag', etag);
    return knows(request, etag) ? reply.code(304).send() : send(reply, image);
  });

  mount(app, couvertures.lireLignes, async ({ query, utilisateur, request, reply }) => {
    const cles = query.cles.split(',');
    reply.type('application/octet-stream');
    return readBatch(database, covers, { cles, utilisateur, owner: ownerOf(request) });
  });

  mount(app, couvertures.lireEtatCouvertures, () => fetcher.etat());

  mount(app, couvertures.reessayerCouvertures, ({ tx }) => {
    fetcher.retry(tx);
    return fetcher.etat();
  });

  mount(app, couvertures.avancerCouvertures, ({ body, utilisateur }) => {
    const { livres = [], numeros = [], souhaits = [] } = body;
    fetcher.toFront(adressesOf(database, { livres, numeros, souhaits }, utilisateur));
  });

  app.addHook('preClose', async () => {
    covers.others.stop();
    await fetcher.stop();
    endDecoder();
    await covers.relay.close();
  });
}

function send(reply: FastifyReply, { type, content }: { type: string; content: Buffer }): Buffer {
  reply.type(type);
  return content;
}

const knows = ({ headers }: FastifyRequest, etag: string): boolean =>
  headers['if-none-match']?.includes(etag) ?? false;

/**
 * Images of foreign sites are served from the application's own origin: the policy keeps a browser from
 * running anything in them. `private`, since a wish's cover is its owner's alone.
 */
const sandbox = (reply: FastifyReply, maxAge: string): FastifyReply =>
  reply
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .cacheControl('private')
    .maxAge(maxAge)
    .cacheControl('immutable');
