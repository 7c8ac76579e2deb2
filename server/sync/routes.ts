import type { FastifyInstance } from 'fastify';
import { collections, type CollectionName } from '#shared/collections';
import type { Query, Response } from '#shared/endpoint';
import { champRefuse, Refusal } from '#shared/refusals';
import { tirer } from '#shared/replication';
import type { Context } from '#server/context';
import type { Base } from '#server/database/base';
import { mount } from '#server/http/mount';
import { readPage } from './documents.ts';
import { eventRoutes } from './events.ts';

const LIMITE = 1000;

type Demande = Query<typeof tirer>;
type Page = Response<typeof tirer>;

/** Replication (contract.md « Replication »). */
export const syncRoutes = (app: FastifyInstance, context: Context): void => {
  const { base } = context;
  mount(app, tirer, ({ params: { collection }, query, utilisateur }) =>
    pull(base, collection, ownerOf(collection, utilisateur), query),
  );
  eventRoutes(app, context);
};

/** Whose documents a caller is given, '' standing for everyone's. */
function ownerOf(collection: CollectionName, utilisateur: string | null): string {
  if (!collections[collection].personal) return '';
  if (utilisateur === null) throw new Refusal('IDENTITE_INCONNUE');
  return utilisateur;
}

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
  if (epoque !== undefined && epoque !== base.epoque) throw new Refusal('EPOQUE_PERIMEE');
  if (epoque === undefined || revision === undefined) {
    const champ = epoque === undefined ? 'epoque' : 'revision';
    throw champRefuse(champ, 'manque : epoque et revision vont ensemble');
  }
  if (revision > base.revision()) throw new Refusal('EPOQUE_PERIMEE');
  return revision;
}
