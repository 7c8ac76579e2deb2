import { collectionNames, type CollectionName } from '#shared/collection-names';
import { collections } from '#shared/collections';

/** The schemas of the replicated collections, in the order of their names. */
export const documentShapes = collectionNames.map((name): [CollectionName, object] => [
  name,
  collections[name].document,
]);

/** A hash of today's shapes of records, not for security; `crypto.subtle` is missing on plain http. */
export const SHAPES = fnv1a(JSON.stringify(documentShapes));

function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash.toString(36);
}
