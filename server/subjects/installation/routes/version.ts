import type { FastifyInstance } from 'fastify';
import { lireVersion } from '#shared/version';
import type { Config } from '#server/config';
import { mount } from '#server/plumbing/http/mount';
import { readBuiltVersion } from '#server/subjects/installation/domain/version';

export function versionRoutes(app: FastifyInstance, { config }: { config: Config }): void {
  const version = readBuiltVersion(config.clientPath);
  mount(app, lireVersion, () => version);
}
