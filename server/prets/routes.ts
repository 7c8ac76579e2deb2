import type { FastifyInstance } from 'fastify';
import * as prets from '#shared/prets';
import type { Database } from '#server/database/database';
import { mount } from '#server/http/mount';
import { lireLivre } from '#server/livres/domain/livres';
import { datePretOf, listPretsOfLivre, modifierPret, preter, rendre } from './domain.ts';
import { openPrets } from './store.ts';

export function pretsRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  mount(app, prets.preter, ({ params, body }) =>
    preter(database, params.id, body.emprunteur, datePretOf(body.datePret)),
  );
  mount(app, prets.modifierPret, ({ params, body }) => modifierPret(database, params.id, body));
  mount(app, prets.listerPretsOfLivre, ({ params }) => listPretsOfLivre(database, params.id));
  mount(app, prets.listerPretsEnCours, ({ utilisateur }) =>
    database.read(() =>
      openPrets(database).map((pret) => ({
        ...pret,
        livre: lireLivre(database, pret.livreId, utilisateur),
      })),
    ),
  );
  mount(app, prets.rendre, ({ params }) => rendre(database, params.id));
}
