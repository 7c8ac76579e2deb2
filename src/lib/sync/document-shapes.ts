import { collectionNames, type CollectionName } from '#shared/collection-names';
import { collections } from '#shared/collections';

/** The shapes of what devices hold, in the order of their names. */
export const documentShapes = collectionNames.map((name): [CollectionName, object] => [
  name,
  collections[name].document,
]);
