import type { FastifyInstance } from 'fastify';
import * as portraits from '#shared/portraits';
import type { Context } from '#server/start/context';
import { ownerOf } from '#server/plumbing/http/identity';
import { mount, mountPrepared } from '#server/plumbing/http/mount';
import { memberIdentity } from '../domain/credentials.ts';
import { changeFace, faceOf, prepareFace } from '../domain/portraits.ts';
import { sessionOf } from './guard.ts';
import { withAccounts } from './with-accounts.ts';

/** What has a key never changes. */
const AGE = '365d';

/** The faces of members (docs/rules.md § 53). */
export function portraitsRoutes(
  app: FastifyInstance,
  { config, database }: Pick<Context, 'config' | 'database'>,
): void {
  withAccounts(app, config, (scope) => {
    mountPrepared(scope, portraits.choisirPortrait, async ({ request }) => {
      const { membreId } = sessionOf(request);
      const asker = { owner: ownerOf(request), signal: request.signal };
      const image = await prepareFace(request.bodyBytes, asker);
      return { write: (tx) => memberIdentity(changeFace(tx, membreId, image)) };
    });

    mount(scope, portraits.retirerPortrait, ({ tx, request }) =>
      memberIdentity(changeFace(tx, sessionOf(request).membreId, null)),
    );

    mount(scope, portraits.lirePortrait, ({ params, reply }) => {
      const image = faceOf(database, params.cle);
      reply.header('Content-Security-Policy', "default-src 'none'; sandbox");
      reply.cacheControl('private').maxAge(AGE).cacheControl('immutable').type('image/webp');
      return image;
    });
  });
}
