import type { FastifyInstance } from 'fastify';
import * as emplacements from '#shared/emplacements';
import type { Database } from '#server/database/database';
import { mount, mountLong } from '#server/http/mount';
import {
  ajouterEmplacement,
  modifierEmplacement,
  ordonnerEmplacements,
  readTree,
} from './domain/emplacements.ts';
import { suppression } from './domain/operations.ts';

export function emplacementsRoutes(
  app: FastifyInstance,
  { database }: { database: Database },
): void {
  mount(app, emplacements.listerEmplacements, () => [...readTree(database).all]);
  mount(app, emplacements.lireEmplacement, ({ params }) => readTree(database).get(params.id));
  mount(app, emplacements.ajouterEmplacement, ({ body }) => ajouterEmplacement(database, body));
  mount(app, emplacements.modifierEmplacement, ({ params, body }) =>
    modifierEmplacement(database, params.id, body),
  );
  mountLong(app, suppression);
  mount(app, emplacements.ordonnerEmplacements, ({ body }) => [
    ...ordonnerEmplacements(database, null, body.ids),
  ]);
  mount(app, emplacements.ordonnerEmplacement, ({ params, body }) => [
    ...ordonnerEmplacements(database, params.id, body.ids),
  ]);
}
