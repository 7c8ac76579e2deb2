import type { FastifyInstance } from 'fastify';
import * as livres from '#shared/livres';
import { isPersonalTri } from '#shared/sort';
import type { Reader } from '#server/plumbing/database/reader';
import { sendList } from '#server/plumbing/http/list';
import { mount } from '#server/plumbing/http/mount';
import {
  ajouterLivre,
  lireLivre,
  modifierLivre,
  placerEnSerie,
  rangerLivre,
  supprimerLivre,
} from './domain/livres.ts';
import type { LiveCatalogue } from './domain/live-catalogue.ts';
import { readLivre } from './store/document.ts';
import { readLus } from './store/lectures.ts';

export function livresRoutes(
  app: FastifyInstance,
  context: { readonly database: Reader; readonly catalogue: LiveCatalogue },
): void {
  const { database } = context;
  mount(app, livres.listerLivres, async ({ query, utilisateur, reply }) => {
    const { catalogue } = context;
    await catalogue.ready;
    const statuts = catalogue.statutsOf(utilisateur);
    const lus =
      utilisateur !== null && isPersonalTri(query.tri ?? 'titre')
        ? readLus(database, utilisateur)
        : undefined;
    const page = catalogue.page(query, statuts, lus);
    reply.header('X-Total-Count', page.total);
    return sendList(reply, page.livres, ({ id }) => ({
      statut: statuts.get(id) ?? null,
      pret: catalogue.openPret(id),
    }));
  });

  mount(app, livres.lireLivre, ({ params, utilisateur }) =>
    readLivre(database, params.id, utilisateur),
  );

  mount(app, livres.ajouterLivre, ({ tx, query, body, utilisateur }) => {
    const confirmed = query.confirmerDoublon === true || body.confirmerDoublon === true;
    return ajouterLivre(tx, body, { confirmed, utilisateur });
  });

  mount(app, livres.modifierLivre, ({ tx, params, body, utilisateur }) => {
    modifierLivre(tx, params.id, body);
    return lireLivre(database, params.id, utilisateur);
  });

  mount(app, livres.placerEnSerie, ({ tx, params, body, utilisateur }) => {
    placerEnSerie(tx, params.id, body);
    return lireLivre(database, params.id, utilisateur);
  });

  mount(app, livres.rangerLivre, ({ tx, params, body, utilisateur }) => {
    rangerLivre(tx, params.id, body.emplacementId);
    return lireLivre(database, params.id, utilisateur);
  });

  mount(app, livres.supprimerLivre, ({ tx, params }) => supprimerLivre(tx, params.id));
}
