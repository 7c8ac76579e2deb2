import type { FastifyInstance } from 'fastify';
import { rechercherIsbn, rechercherTitre } from '#shared/recherche';
import type { Config } from '#server/config';
import type { Reader } from '#server/plumbing/database/reader';
import { ownerOf } from '#server/plumbing/http/identity';
import { mount, type Exchange } from '#server/plumbing/http/mount';
import { revueIdByIssn } from '#server/subjects/revues/domain/revues';
import { isUnanswered, lookUpCode, lookUpTitre, type LookupContext } from './domain/lookups.ts';

interface RechercheContext extends Pick<LookupContext, 'sources'> {
  readonly config: Config;
  readonly database: Reader;
}

export function rechercheRoutes(
  app: FastifyInstance,
  { config, database, sources }: RechercheContext,
): void {
  const contextOf = ({ request }: Pick<Exchange, 'request'>): LookupContext => ({
    sources,
    coversSite: config.openLibraryCoversUrl,
    asker: { owner: ownerOf(request), signal: request.signal },
  });

  const findRevueId = (issn: string) => revueIdByIssn(database, issn);

  mount(app, rechercherIsbn, async (call) => {
    const found = await lookUpCode(contextOf(call), call.params.code, findRevueId);
    sources.background.note(isUnanswered(found));
    return found;
  });
  mount(app, rechercherTitre, (call) =>
    lookUpTitre(contextOf(call), call.query.titre, call.query.auteur ?? null),
  );

  // Lookups under way end at once, and are answered, when the service stops.
  app.addHook('preClose', () => sources.close());
}
