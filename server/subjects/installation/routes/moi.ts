import type { FastifyInstance } from 'fastify';
import { lireMoi } from '#shared/moi';
import { mount } from '#server/plumbing/http/mount';

export function moiRoutes(app: FastifyInstance): void {
  mount(app, lireMoi, ({ request }) => request.identity);
}
