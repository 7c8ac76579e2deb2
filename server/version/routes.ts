import type { FastifyInstance } from 'fastify';
import { lireVersion } from '#shared/version';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { readBuiltVersion } from './domain.ts';

export function versionRoutes(app: FastifyInstance, { config }: Context): void {
  const version = readBuiltVersion(config.clientPath);
  mount(app, lireVersion, () => version);
}
