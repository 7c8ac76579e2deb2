import type { CollectionDocument, CollectionName } from '#shared/collections';
import { auteurSource } from '#server/auteurs/store/auteurs';
import type { DocumentSource, Row } from '#server/database/columns';
import type { Database } from '#server/database/database';
import { livreSource } from '#server/livres/store/document';
import { modificationSource } from '#server/modifications/store/modifications';
import { pretSource } from '#server/prets/store';
import { numeroSource } from '#server/revues/store/numeros';
import { revueSource } from '#server/revues/store/revues';
import { serieSource } from '#server/series/store/document';
import { revueSouhaiteeSource, souhaitSource } from '#server/souhaits/store/tables';
import { statutSource } from '#server/statuts/store';

type Sources = { readonly [N in CollectionName]: DocumentSource<CollectionDocument<N>> };

const sources: Sources = {
  livres: livreSource,
  auteurs: auteurSource,
  prets: pretSource,
  series: serieSource,
  revues: revueSource,
  numeros: numeroSource,
  statuts: statutSource,
  souhaits: souhaitSource,
  'souhaits-revues': revueSouhaiteeSource,
  modifications: modificationSource,
};

/** The collections whose rows have an owner, and the column that names them, '' for everyone. */
const OWNERS: Readonly<Partial<Record<CollectionName, string>>> = {
  statuts: 'utilisateur',
  souhaits: 'utilisateur',
  'souhaits-revues': 'utilisateur',
  modifications: 'proprietaire',
};
const keyOf = (collection: CollectionName): string => (collection === 'statuts' ? 'livreId' : 'id');

/**
 * The documents of a collection with these ids, by id, as they now are; those that are deleted, or
 * another person's, are not among them.
 *
 * @param utilisateur the owner of a personal collection; '' where it is shared
 */
export function readDocuments<N extends CollectionName>(
  database: Database,
  collection: N,
  utilisateur: string,
  ids: readonly number[],
): Map<number, CollectionDocument<N>> {
  const { select, toDocument } = sources[collection];
  const column = OWNERS[collection];
  const owner = column === undefined ? "'' = @utilisateur" : `d.${column} = @utilisateur`;
  const rows = database
    .prepare<[{ ids: string; utilisateur: string }], Row>(
      `${select} WHERE d.${keyOf(collection)} IN (SELECT value FROM json_each(@ids)) AND ${owner}`,
    )
    .all({ ids: JSON.stringify(ids), utilisateur });
  return new Map(rows.map((row) => [Number(row['id']), toDocument(row)]));
}

/** One document as it now is; `undefined` where it is deleted, unknown, or another person's. */
export const readDocument = <N extends CollectionName>(
  database: Database,
  collection: N,
  utilisateur: string,
  id: number,
): CollectionDocument<N> | undefined =>
  readDocuments(database, collection, utilisateur, [id]).get(id);
