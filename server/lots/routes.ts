import type { FastifyInstance } from 'fastify';
import { mountLong } from '#server/http/mount';
import { lot } from './domain.ts';

export const lotsRoutes = (app: FastifyInstance): void => mountLong(app, lot);
