import type { FastifyInstance } from 'fastify';
import * as revues from '#shared/revues';
import type { Reader } from '#server/plumbing/database/reader';
import { mount } from '#server/plumbing/http/mount';
import type { LiveNumeroIndex } from '../domain/live-numero-index.ts';
import { findOrCreateRevue, modifierRevue, supprimerRevue } from '../domain/revues.ts';
import { readRevue } from '../store/revues.ts';

export function revuesRoutes(
  app: FastifyInstance,
  { database, numeroIndex }: { readonly database: Reader; readonly numeroIndex: LiveNumeroIndex },
): void {
  mount(app, revues.listerRevues, () => numeroIndex.read((index) => index.revues));
  mount(app, revues.lireRevue, ({ params }) => readRevue(database, params.id));
  mount(app, revues.ajouterRevue, ({ tx, body, reply }) => {
    const { revue, created } = findOrCreateRevue(tx, body);
    if (created) reply.code(201);
    return revue;
  });
  mount(app, revues.modifierRevue, ({ tx, params, body }) => modifierRevue(tx, params.id, body));
  mount(app, revues.supprimerRevue, ({ tx, params }) => supprimerRevue(tx, params.id));
}
