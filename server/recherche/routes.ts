import type { FastifyInstance, FastifyRequest } from 'fastify';
import { rechercherIsbn, rechercherTitre as parTitre } from '#shared/recherche';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { revueDIssn } from '#server/revues/store';
import { rechercherCode, rechercherTitre, type Demande } from './domain.ts';

export function rechercheRoutes(app: FastifyInstance, { config, base, sources }: Context): void {
  const demande = ({ signal }: FastifyRequest): Demande => ({
    sources,
    couvertures: config.openLibraryCoversUrl,
    signal,
  });

  const revueDe = (issn: string) => revueDIssn(base, issn)?.id ?? null;

  mount(app, rechercherIsbn, ({ params, request }) =>
    rechercherCode(demande(request), params.code, revueDe),
  );
  mount(app, parTitre, ({ query, request }) =>
    rechercherTitre(demande(request), query.titre, query.auteur ?? null),
  );

  // Lookups under way end at once, and are answered, when the service stops.
  app.addHook('preClose', () => sources.close());
}
