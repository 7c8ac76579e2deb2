import type { FastifyInstance } from 'fastify';
import { mountLong } from '#server/plumbing/http/mount';
import { lot } from './domain.ts';

export const lotsRoutes = (app: FastifyInstance): void => mountLong(app, lot);
