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
  'modifications',
] as const;

export type CollectionName = (typeof names)[number];

/** What devices hold, by name; a file apart, so that a device's first load has no shapes (shared/collections.ts). */
export const collectionNames: readonly CollectionName[] = names;
