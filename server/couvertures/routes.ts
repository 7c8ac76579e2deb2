import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { relayerCouverture } from '#shared/couvertures';
import { Refusal } from '#shared/refusals';
import type { Context } from '#server/context';
import { sendError, toRefusal } from '#server/http/errors';
import { mount } from '#server/http/mount';
import { couverture } from './domain.ts';
import { Relais } from './domain/relais.ts';

/** A month: covers hardly ever change, and a new one comes under a new address. */
const DUREE_S = 30 * 24 * 3600;

export function couverturesRoutes(app: FastifyInstance, { config, base }: Context): void {
  const relais = new Relais(config.upstreamTimeout);

  void app.register(async (scope) => {
    // A query string that cannot be read is refused like every other: with the same 404.
    scope.setErrorHandler((error: Partial<FastifyError>, request, reply) => {
      if (toRefusal(error).status >= 500) request.log.error(error);
      return sendError(new Refusal('INTROUVABLE'), request, reply);
    });
    mount(scope, relayerCouverture, async ({ query, utilisateur, request, reply }) => {
      const { signal } = request;
      const image = await couverture(base, relais, { url: query.url, utilisateur, signal });
      fermer(reply).type(image.type);
      return image.contenu;
    });
  });

  app.addHook('preClose', () => relais.close());
}

/**
 * An image from anywhere, on the application's own origin: whatever it is, a browser shows it as
 * the picture that it was found to be, or not at all. Known to one person only, maybe: `private`.
 */
const fermer = (reply: FastifyReply): FastifyReply =>
  reply
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .header('Cache-Control', `private, max-age=${String(DUREE_S)}, immutable`);
