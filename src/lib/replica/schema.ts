import type { RxJsonSchema, TopLevelProperty } from 'rxdb';
import { collectionNames, collections, type CollectionName } from '#shared/collections';
import { selon } from '../selon.ts';
import { empreinte } from './empreinte.ts';

/** What is kept beside the replicas: how far each has come, and the last answers (`Locaux`). */
const local: RxJsonSchema<Record<string, unknown>> = {
  version: 0,
  primaryKey: 'cle',
  type: 'object',
  properties: {
    cle: { type: 'string', maxLength: 200 },
    date: { type: 'number' },
    valeur: {},
  },
  required: ['cle', 'date', 'valeur'],
};

/** RxDB keeps a document under a string: its number, written out. */
export const cle = (id: number): string => String(id);

/** The RxDB schema of a replica: the registry's document under a string key. */
export function schemaDe(nom: CollectionName): RxJsonSchema<Record<string, unknown>> {
  const { properties, required } = collections[nom].document;
  return {
    version: 0,
    primaryKey: 'cle',
    type: 'object',
    // TypeBox hides its own marks in the schema; only what JSON shows is the schema's.
    properties: {
      ...selon<Record<string, TopLevelProperty>>(JSON.parse(JSON.stringify(properties))),
      cle: { type: 'string', maxLength: 16 },
    },
    required: [...required, 'cle'],
  };
}

/** The schemas of a reader's database. RxDB opens at most 13 collections in all. */
export const schemas = {
  local,
  ...Object.fromEntries(collectionNames.map((nom) => [nom, schemaDe(nom)])),
};

const PREFIXE = 'rayonnage-';

/** The databases of this version of the application: another schema is another name. */
const prefixeActuel = `${PREFIXE}${empreinte(JSON.stringify(schemas))}-`;

/** The name of a reader's database; `null` is the reader that nobody named. */
export const nomDeBase = (utilisateur: string | null): string =>
  prefixeActuel + (utilisateur === null ? '' : encodeURIComponent(utilisateur));

/** How RxDB's Dexie storage names the IndexedDB databases of one of ours. */
const PREFIXE_RXDB = 'rxdb-dexie-';

/** True for an IndexedDB database that belongs to the replica of this name. */
export const estDeLaBase = (indexedDb: string, nom: string): boolean =>
  indexedDb.startsWith(`${PREFIXE_RXDB}${nom}--`);

/** True for an IndexedDB database that another version of the application has left. */
export const estPerimee = (indexedDb: string): boolean =>
  indexedDb.startsWith(PREFIXE_RXDB + PREFIXE) &&
  !indexedDb.startsWith(PREFIXE_RXDB + prefixeActuel);
