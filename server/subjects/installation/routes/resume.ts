import type { FastifyInstance } from 'fastify';
import { lireResume } from '#shared/resume';
import type { Context } from '#server/start/context';
import { mount } from '#server/plumbing/http/mount';
import { readResume } from '#server/subjects/installation/store/resume';

/** The house in a few numbers (docs/rules.md § 54). */
export const resumeRoutes = (app: FastifyInstance, { database }: Pick<Context, 'database'>): void =>
  mount(app, lireResume, ({ utilisateur }) =>
    database.read(() => readResume(database, utilisateur)),
  );
