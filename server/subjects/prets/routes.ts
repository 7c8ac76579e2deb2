import type { FastifyInstance } from 'fastify';
import * as prets from '#shared/prets';
import type { Reader } from '#server/plumbing/database/reader';
import { mount } from '#server/plumbing/http/mount';
import { lireLivre } from '#server/subjects/livres/domain/livres';
import { datePretOf, listPretsOfLivre, modifierPret, preter, rendre } from './domain.ts';
import { openPrets } from './store.ts';

export function pretsRoutes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, prets.preter, ({ tx, params, body }) =>
    preter(tx, params.id, body.emprunteur, datePretOf(body.datePret)),
  );
  mount(app, prets.modifierPret, ({ tx, params, body }) => modifierPret(tx, params.id, body));
  mount(app, prets.listerPretsOfLivre, ({ params }) => listPretsOfLivre(database, params.id));
  mount(app, prets.listerPretsEnCours, ({ utilisateur }) =>
    database.read(() =>
      openPrets(database).map((pret) => ({
        ...pret,
        livre: lireLivre(database, pret.livreId, utilisateur),
      })),
    ),
  );
  mount(app, prets.rendre, ({ tx, params }) => rendre(tx, params.id));
}
