import type { FastifyInstance } from 'fastify';
import { traiterLot as endpoint } from '#shared/lots';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { traiterLot } from './domain.ts';

export function lotsRoutes(app: FastifyInstance, { database }: Context): void {
  mount(app, endpoint, ({ body, utilisateur }) => ({
    livres: traiterLot(database, body, utilisateur),
  }));
}
