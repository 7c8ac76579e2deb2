import type { FastifyInstance } from 'fastify';
import { traiterLot as endpoint } from '#shared/lots';
import type { Database } from '#server/database/database';
import { mount } from '#server/http/mount';
import { traiterLot } from './domain.ts';

export function lotsRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  mount(app, endpoint, ({ body, utilisateur }) => ({
    livres: traiterLot(database, body, utilisateur),
  }));
}
