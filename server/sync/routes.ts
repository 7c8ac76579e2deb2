import type { FastifyInstance } from 'fastify';
import { collectionNames, collections, type CollectionName } from '#shared/collections';
import type { Query, Response } from '#shared/endpoint';
import { Refusal } from '#shared/refusals';
import { tirer } from '#shared/replication';
import type { Context } from '#server/context';
import type { Base } from '#server/database/base';
import { mount } from '#server/http/mount';
import { readPage } from './documents.ts';
import { eventRoutes } from './events.ts';

const LIMITE = 1000;

type Demande = Query<typeof tirer>;
type Page = Response<typeof tirer>;

/**
 * Replication (contract.md « Replication »). Each collection has a route of its own, because a
 * personal one is refused before all else when the caller is unknown.
 */
export const syncRoutes = (app: FastifyInstance, context: Context): void => {
  const { method, query, response } = tirer;
  const { base } = context;
  for (const collection of collectionNames) {
    const { personal } = collections[collection];
    const path = `/api/replication/${collection}` as const;
    const summary = `${tirer.summary.slice(0, -1)} : ${collection}.`;
    const endpoint = { method, path, summary, query, response };
    if (personal) {
      mount(app, { ...endpoint, personal: true }, ({ query, utilisateur }) =>
        pull(base, collection, utilisateur, query),
      );
    } else {
      mount(app, endpoint, ({ query }) => pull(base, collection, '', query));
    }
  }
  eventRoutes(app, context);
};

/**
 * One page of a collection for one owner, '' where it is shared. A page shorter than asked is the
 * last: its checkpoint is the database's own, whatever collection it came from.
 */
function pull(base: Base, collection: CollectionName, owner: string, demande: Demande): Page {
  const { limite = LIMITE } = demande;
  return base.read(() => {
    const depuis = startOf(base, demande);
    const entries = readPage(base, collection, owner, depuis, limite);
    const last = entries.length < limite ? undefined : entries.at(-1);
    return {
      documents: entries.map(({ document }) => ({ _deleted: false, ...document })),
      jalon: { epoque: base.epoque, revision: last?.revision ?? base.revision() },
    };
  });
}

/** The revision to go on from; refuses a checkpoint that this database has not given. */
function startOf(base: Base, { epoque, revision }: Demande): number {
  if (epoque === undefined && revision === undefined) return 0;
  if (epoque === undefined || revision === undefined) {
    const champ = epoque === undefined ? 'epoque' : 'revision';
    const message = 'manque : epoque et revision vont ensemble';
    throw new Refusal('REQUETE_INVALIDE', { champs: [{ champ, message }] });
  }
  if (epoque !== base.epoque || revision > base.revision()) throw new Refusal('EPOQUE_PERIMEE');
  return revision;
}
