import type { FastifyInstance } from 'fastify';
import * as auteurs from '#shared/auteurs';
import type { Database } from '#server/database/database';
import { mount, mountLong } from '#server/http/mount';
import { listSuggestions, modifierAuteur, refuserFusion } from './domain/auteurs.ts';
import { fusion } from './domain/operations.ts';
import { listAuteurs } from './store/auteurs.ts';

export function auteursRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  mount(app, auteurs.listerAuteurs, () => listAuteurs(database));
  mount(app, auteurs.modifierAuteur, ({ params, body }) =>
    modifierAuteur(database, params.id, body.nom),
  );
  mount(app, auteurs.listerSuggestions, () => listSuggestions(database));
  mountLong(app, fusion);
  mount(app, auteurs.refuserFusion, ({ body }) => refuserFusion(database, body.auteurs));
}
