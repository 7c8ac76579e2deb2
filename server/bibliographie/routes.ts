import type { FastifyInstance } from 'fastify';
import { lireBibliographie } from '#shared/bibliographie';
import type { Context } from '#server/context';
import { ownerOf } from '#server/http/identity';
import { mount } from '#server/http/mount';
import { readBibliographie } from './domain/bibliographie.ts';

export function bibliographieRoutes(app: FastifyInstance, context: Context): void {
  mount(app, lireBibliographie, ({ query, request }) =>
    readBibliographie(context, query.auteur, { owner: ownerOf(request), signal: request.signal }),
  );
}
