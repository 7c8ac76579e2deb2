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
 * How far a replica has come in the journal of one database. `epoque` is opaque to a device: it differs from page to
 * page, and is sent back as the last page gave it.
 */
export const Checkpoint = Type.Object({
  epoque: Type.String({ minLength: 1, maxLength: 200 }),
  revision: Revision,
});
export type Checkpoint = Static<typeof Checkpoint>;

/**
 * The part of a checkpoint that names the database: it is another one after a backup was restored, and revisions of two
 * cannot be compared. The rest of `epoque` differs from page to page.
 */
export const epochOf = ({ epoque }: Pick<Checkpoint, 'epoque'>): string =>
  epoque.replace(/[-.].*/, '');

const ChangeShape = Type.Object({
  collection: Type.Enum([...collectionNames], { type: 'string' }),
  id: Id,
  revision: Revision,
  document: nullable(Type.Object({ id: Id }, { additionalProperties: true })),
});

/** The last change of one record: its present document, `null` where it is deleted. */
export type Change<N extends CollectionName = CollectionName> = {
  readonly [K in N]: {
    readonly collection: K;
    readonly id: number;
    readonly revision: number;
    readonly document: CollectionDocument<K> | null;
  };
}[N];

/**
 * One page of a pull: `changements` in the order of revisions, acts last, each record once. `utilisateur` is the caller
 * for whom it was made, `bibliotheque` the household, `epoque` and `revision` the checkpoint after it. A page may hold fewer changes than asked, or
 * none, and not be the last: only `complet` tells.
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
    // Of any length: another epoch is foreign, not malformed.
    epoque: Type.Optional(Type.String()),
    revision: Type.Optional(Revision),
    limite: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT })),
    /** Whether acts are wanted, too, which come after all else. */
    modifications: Type.Optional(Type.Boolean()),
  }),
  response: ChangePage,
  also: [409],
});

/** The event stream that tells when something readable has changed. */
export const EVENTS_PATH = '/api/replication/evenements';

/**
 * The event by which a listener knows that the stream is not broken; three a minute. One comes with the opening and one
 * a few seconds later, by which it knows that no proxy holds the body back.
 */
export const HEARTBEAT = 'battement';

/** The data of the first one: the revision of the listener's checkpoint, where all that came since is told. */
export interface HeartbeatEvent {
  readonly since?: number;
}

/** The data of an event `revision`. */
export const RevisionEvent = Type.Object({ revision: Type.Integer() });
export type RevisionEvent = Static<typeof RevisionEvent>;
