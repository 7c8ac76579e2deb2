import type { Change } from '#shared/replication';

/** `livres/12`: the kind and the id of a record. */
export const keyOf = ({ collection, id }: Pick<Change, 'collection' | 'id'>): string =>
  `${collection}/${String(id)}`;
