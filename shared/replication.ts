import { Type, type Static } from 'typebox';
import { collectionNames, collections } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './fields.ts';

/** The most documents that one page of a pull may hold (contract.md « Operations »). */
export const LIMITE_MAXIMUM = 5000;

/** How far a replica has come in the journal of one database. */
export const Jalon = Type.Object({
  epoque: Type.String({ minLength: 1, maxLength: 100 }),
  revision: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});
export type Jalon = Static<typeof Jalon>;

/** A document of a page: the whole record, or `{ id, _deleted: true }` and nothing more. */
const DocumentTire = Type.Object(
  { id: Id, _deleted: Type.Boolean() },
  { additionalProperties: true },
);

export const tirer = endpoint({
  method: 'GET',
  path: '/api/replication/:collection',
  summary: 'Une page des documents changés depuis un jalon, par révision.',
  params: Type.Object({ collection: Type.Enum([...collectionNames], { type: 'string' }) }),
  query: Type.Object({
    // Of any length: what this database has not drawn is foreign, not malformed.
    epoque: Type.Optional(Type.String()),
    revision: Type.Optional(Jalon.properties.revision),
    limite: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITE_MAXIMUM })),
  }),
  response: Type.Object({ documents: Type.Array(DocumentTire), jalon: Jalon }),
  also: [409],
  personal: ({ collection }) =>
    collectionNames.some((name) => name === collection && collections[name].personal),
});

/** The path of the event stream that tells when something readable has changed. */
export const EVENEMENTS = '/api/replication/evenements';

/** The data of an event `revision` of that stream. */
export const EvenementRevision = Type.Object({ revision: Type.Integer() });
