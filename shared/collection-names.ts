const names = [
  'livres',
  'auteurs',
  'prets',
  'series',
  'emplacements',
  'revues',
  'numeros',
  'statuts',
  'lectures',
  'souhaits',
  'souhaits-revues',
  'partages',
  'selections',
  'objectifs',
  'modifications',
] as const;

export type CollectionName = (typeof names)[number];

/**
 * The names of the replicated collections, in a file of their own, so that a device's first load has no schemas
 * (shared/collections.ts).
 */
export const collectionNames: readonly CollectionName[] = names;
