import type { FastifyInstance } from 'fastify';
import { lireBibliographie } from '#shared/bibliographie';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { bibliographie } from './domain.ts';

export function bibliographieRoutes(app: FastifyInstance, context: Context): void {
  mount(app, lireBibliographie, ({ query, request }) =>
    bibliographie(context, query.auteur, request.signal),
  );
}
