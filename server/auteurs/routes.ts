import type { FastifyInstance } from 'fastify';
import * as auteurs from '#shared/auteurs';
import type { Database } from '#server/database/database';
import { mount } from '#server/http/mount';
import {
  fusionnerAuteurs,
  listSuggestions,
  modifierAuteur,
  refuserFusion,
} from './domain/auteurs.ts';
import { listAuteurs } from './store/auteurs.ts';

export function auteursRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  mount(app, auteurs.listerAuteurs, () => listAuteurs(database));
  mount(app, auteurs.modifierAuteur, ({ params, body }) =>
    modifierAuteur(database, params.id, body.nom),
  );
  mount(app, auteurs.listerSuggestions, () => listSuggestions(database));
  mount(app, auteurs.fusionnerAuteurs, ({ body }) => fusionnerAuteurs(database, body.auteurs));
  mount(app, auteurs.refuserFusion, ({ body }) => refuserFusion(database, body.auteurs));
}
