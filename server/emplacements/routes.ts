import type { FastifyInstance } from 'fastify';
import * as emplacements from '#shared/emplacements';
import type { Database } from '#server/database/database';
import { mount } from '#server/http/mount';
import {
  ajouterEmplacement,
  lireEmplacement,
  modifierEmplacement,
  ordonnerEmplacements,
  readTree,
  supprimerEmplacement,
} from './domain/emplacements.ts';

export function emplacementsRoutes(
  app: FastifyInstance,
  { database }: { database: Database },
): void {
  mount(app, emplacements.listerEmplacements, () => [...readTree(database).all]);
  mount(app, emplacements.lireEmplacement, ({ params }) => lireEmplacement(database, params.id));
  mount(app, emplacements.ajouterEmplacement, ({ body }) => ajouterEmplacement(database, body));
  mount(app, emplacements.modifierEmplacement, ({ params, body }) =>
    modifierEmplacement(database, params.id, body),
  );
  mount(app, emplacements.supprimerEmplacement, ({ params }) =>
    supprimerEmplacement(database, params.id),
  );
  mount(app, emplacements.ordonnerEmplacements, ({ body }) => [
    ...ordonnerEmplacements(database, null, body.ids),
  ]);
  mount(app, emplacements.ordonnerEmplacement, ({ params, body }) => [
    ...ordonnerEmplacements(database, params.id, body.ids),
  ]);
}
