import type { FastifyInstance } from 'fastify';
import * as emplacements from '#shared/emplacements';
import type { Reader } from '#server/plumbing/database/reader';
import { mount, mountLong } from '#server/plumbing/http/mount';
import {
  ajouterEmplacement,
  modifierEmplacement,
  ordonnerEmplacements,
  readTree,
} from './domain/emplacements.ts';
import { suppression } from './domain/operations.ts';

export function emplacementsRoutes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, emplacements.listerEmplacements, () => [...readTree(database).all]);
  mount(app, emplacements.lireEmplacement, ({ params }) => readTree(database).get(params.id));
  mount(app, emplacements.ajouterEmplacement, ({ tx, body }) => ajouterEmplacement(tx, body));
  mount(app, emplacements.modifierEmplacement, ({ tx, params, body }) =>
    modifierEmplacement(tx, params.id, body),
  );
  mountLong(app, suppression);
  mount(app, emplacements.ordonnerEmplacements, ({ tx, body }) => [
    ...ordonnerEmplacements(tx, null, body.ids),
  ]);
  mount(app, emplacements.ordonnerEmplacement, ({ tx, params, body }) => [
    ...ordonnerEmplacements(tx, params.id, body.ids),
  ]);
}
