import type { FastifyInstance } from 'fastify';
import * as auteurs from '#shared/auteurs';
import type { Reader } from '#server/plumbing/database/reader';
import { mount, mountLong } from '#server/plumbing/http/mount';
import { listSuggestions, modifierAuteur, refuserFusion } from './domain/auteurs.ts';
import { fusion } from './domain/operations.ts';
import { listAuteurs } from './store/auteurs.ts';

export function auteursRoutes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, auteurs.listerAuteurs, () => listAuteurs(database));
  mount(app, auteurs.modifierAuteur, ({ tx, params, body }) =>
    modifierAuteur(tx, params.id, body.nom),
  );
  mount(app, auteurs.listerSuggestions, () => listSuggestions(database));
  mountLong(app, fusion);
  mount(app, auteurs.refuserFusion, ({ tx, body }) => refuserFusion(tx, body.auteurs));
}
