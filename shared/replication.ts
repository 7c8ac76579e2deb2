import { Type, type Static } from 'typebox';
import { collectionNames, type CollectionName } from './collection-names.ts';
import type { CollectionDocument } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { Id, nullable } from './fields.ts';

/** The most changes in one page of a pull (docs/rules.md § 28). */
export const MAX_LIMIT = 5000;

export const DEFAULT_LIMIT = 1000;

const Revision = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/**
 * A replica's progress in the journal of one database. `epoque` is opaque to devices: it differs from page to page,
 * and is sent back as received.
 */
export const Checkpoint = Type.Object({
  epoque: Type.String({ minLength: 1, maxLength: 200 }),
  revision: Revision,
});
export type Checkpoint = Static<typeof Checkpoint>;

/**
 * The part of a checkpoint that identifies the database, which changes when a backup is restored; revisions of two
 * databases are not comparable. The rest of `epoque` differs from page to page.
 */
export const epochOf = ({ epoque }: Pick<Checkpoint, 'epoque'>): string =>
  epoque.replace(/[-.].*/, '');

const ChangeShape = Type.Object({
  collection: Type.Enum([...collectionNames], { type: 'string' }),
  id: Id,
  revision: Revision,
  document: nullable(Type.Object({ id: Id }, { additionalProperties: true })),
});

/** The last change of a record: its present document, `null` if deleted. */
export type Change<N extends CollectionName = CollectionName> = {
  readonly [K in N]: {
    readonly collection: K;
    readonly id: number;
    readonly revision: number;
    readonly document: CollectionDocument<K> | null;
  };
}[N];

/**
 * One page of a pull: `changements` by revision, history entries last, each record once. `utilisateur` is the caller,
 * `bibliotheque` the household, `epoque` and `revision` the checkpoint after the page. A page may have fewer changes
 * than requested, or none, without being the last: only `complet` tells.
 */
export const ChangePage = Type.Object({
  epoque: Checkpoint.properties.epoque,
  bibliotheque: Type.String(),
  utilisateur: nullable(Type.String()),
  changements: Type.Array(ChangeShape),
  revision: Revision,
  complet: Type.Boolean(),
});
export type ChangePage = Omit<Static<typeof ChangePage>, 'changements'> & {
  changements: Change[];
};

export const pullChanges = endpoint({
  method: 'GET',
  path: '/api/replication',
  summary: 'Une page des changements depuis un point de reprise, par révision.',
  query: Type.Object({
    // Any length is valid: an unknown epoch belongs to another database, and is not malformed.
    epoque: Type.Optional(Type.String()),
    revision: Type.Optional(Revision),
    limite: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT })),
    /** Whether to include history entries, which come last. */
    modifications: Type.Optional(Type.Boolean()),
  }),
  response: ChangePage,
  also: [409],
});

/** The event stream that announces changes of readable records. */
export const EVENTS_PATH = '/api/replication/evenements';

/**
 * Heartbeats of the event stream, three a minute. One is sent at the opening and one a few seconds later, by which a
 * client knows that no proxy buffers the stream.
 */
export const HEARTBEAT = 'battement';

/** The first heartbeat's data: the client's revision, if all events since are sent. */
export interface HeartbeatEvent {
  readonly since?: number;
}

/** The data of an event `revision`. */
export const RevisionEvent = Type.Object({ revision: Type.Integer() });
export type RevisionEvent = Static<typeof RevisionEvent>;
