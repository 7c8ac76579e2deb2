import type { FastifyInstance } from 'fastify';
import { lireBibliographie } from '#shared/bibliographie';

import { ownerOf } from '#server/plumbing/http/identity';
import { mount } from '#server/plumbing/http/mount';
import { readBibliographie, type BibliographieContext } from './domain/bibliographie.ts';

export function bibliographieRoutes(app: FastifyInstance, context: BibliographieContext): void {
  mount(app, lireBibliographie, ({ query, request }) =>
    readBibliographie(context, query.auteur, { owner: ownerOf(request), signal: request.signal }),
  );
}
