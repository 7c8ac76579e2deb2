import type { FastifyInstance } from 'fastify';
import { lireVersion } from '#shared/version';
import type { Config } from '#server/config';
import { mount } from '#server/http/mount';
import { readBuiltVersion } from './domain.ts';

export function versionRoutes(app: FastifyInstance, { config }: { config: Config }): void {
  const version = readBuiltVersion(config.clientPath);
  mount(app, lireVersion, () => version);
}
