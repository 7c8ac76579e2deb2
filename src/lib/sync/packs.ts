import { collectionNames, type CollectionName } from '#shared/collection-names';
import type { Change, Checkpoint } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type * as earlierShapes from './earlier-shapes.ts';
import { SHAPES } from './shapes.ts';
import { Failure } from './status.ts';

/**
 * An RxDB document with all records of one kind whose ids share the upper bits. RxDB and IndexedDB cost time per
 * document, not per byte, and text is read three times faster than objects (`npm run bench`).
 */
export interface Pack {
  /** `livres/12`: the kind, and the ids from 12 × `IDS` on. `STATE` for the replica's state. */
  readonly id: string;
  /** The hash of the shapes that its records were written in. */
  readonly shapes: string;
  /** Lines as JSON; of `STATE` a `State`. */
  readonly records: string;
}

/** The document with the replica's progress, written with each page in one bulk write. */
export const STATE = 'state';

export interface State extends Checkpoint {
  /** The household's identifier; empty before a page has named it. */
  readonly bibliotheque: string;
  /** Whether the initial replication is done: the replica has once been equal to the server. */
  readonly isComplete: boolean;
  /** The ids of its packs: fetching by id is ten times faster than a query. */
  readonly packs: readonly string[];
}

export const NO_PAGE: State = {
  epoque: '',
  revision: 0,
  bibliotheque: '',
  isComplete: false,
  packs: [],
};

/** The progress of a complete replica; `null` before its first page. */
export const checkpointOf = (state: State | null): Checkpoint | null =>
  state?.isComplete === true && state.epoque !== ''
    ? { epoque: state.epoque, revision: state.revision }
    : null;

/** A record in a pack; a deleted one stays as `null`, so that an older page does not restore it. */
export type Line = readonly [id: number, revision: number, document: object | null];

/** A state of an earlier version lacks newer fields. */
export const readState = ({ records }: Pack): State => ({
  ...NO_PAGE,
  ...unsafeCast<Partial<State>>(JSON.parse(records)),
});

/** Whether two states have the same revision of one database, whatever their packs. */
export const isSameState = (a: Omit<State, 'packs'>, b: Omit<State, 'packs'>): boolean =>
  a.epoque === b.epoque &&
  a.revision === b.revision &&
  a.bibliotheque === b.bibliotheque &&
  a.isComplete === b.isComplete;

/** All records of some packs. A kind that this application does not know is left out: a tab of a later version wrote it. */
export const changesIn = (packs: readonly Pack[]): Change[] =>
  packs.flatMap((pack) => {
    const collection = kindOf(pack);
    if (collection === null) return [];
    return linesOf(pack).map(([id, revision, document]) =>
      unsafeCast<Change>({ collection, id, revision, document }),
    );
  });

export function kindOf({ id }: Pick<Pack, 'id'>): CollectionName | null {
  const kind = id.slice(0, Math.max(0, id.lastIndexOf('/')));
  return collectionNames.find((name) => name === kind) ?? null;
}

export function linesOf(pack: Pack): Line[] {
  const lines = unsafeCast<Line[]>(JSON.parse(pack.records));
  const kind = kindOf(pack);
  if (pack.shapes === SHAPES || kind === null) return lines;
  if (earlier === null) throw new Error('records of an earlier shape, which nobody has prepared');
  const { inTodaysShape } = earlier;
  return lines.map(([id, revision, document]) => [id, revision, inTodaysShape(kind, document)]);
}

/** Converts records of earlier shapes; loaded when an old pack is found after an update. */
let earlier: typeof earlierShapes | null = null;

/**
 * Await it for packs of a storage or another tab before reading their records. Throws a `Failure` if the code does
 * not load.
 */
export async function prepareToRead(packs: readonly Pack[]): Promise<void> {
  if (earlier !== null || packs.every((one) => one.shapes === SHAPES || kindOf(one) === null))
    return;
  earlier = await import('./earlier-shapes.ts').catch((error: unknown) => {
    throw new Failure('serverFailing', error);
  });
}

/**
 * Reads packs by id: from a collection's storage, since a query of RxDB never resolves after a failure and caches a
 * document per pack; or from the database before RxDB is loaded.
 */
export interface PackSource {
  readonly storageInstance: {
    findDocumentsById(ids: string[], withDeleted: boolean): Promise<readonly Pack[]>;
  };
}

/** The existing packs among some ids. Throws the storage's error. */
export async function packsOf(
  { storageInstance }: PackSource,
  ids: readonly string[],
): Promise<Map<string, Pack>> {
  const found = await storageInstance.findDocumentsById([...ids], false);
  await prepareToRead(found);
  return new Map(found.map((pack) => [pack.id, pack]));
}

/** A replica's progress; `null` before its first page. */
export async function stateOf(source: PackSource): Promise<State | null> {
  const document = (await packsOf(source, [STATE])).get(STATE);
  return document === undefined ? null : readState(document);
}

/** The kinds of the first screen are read first, the long history last. */
const KINDS: ReadonlySet<CollectionName> = new Set([
  'livres',
  'prets',
  'statuts',
  ...collectionNames.filter((kind) => kind !== 'modifications'),
  'modifications',
]);

/** Passes all records on, kind by kind, a pack at a time; the kinds of the first screen come first. */
export async function readAll(
  source: PackSource,
  receive: (portions: Iterable<readonly Change[]>) => Promise<void>,
): Promise<void> {
  const ids = (await stateOf(source))?.packs ?? [];
  const byKind = Map.groupBy(ids, (id) => kindOf({ id }));
  for (const kind of KINDS) {
    const found = await packsOf(source, byKind.get(kind) ?? []);
    if (found.size > 0) await receive(portionsOf(found.values()));
  }
}

/** Parsed lazily, one by one. */
function* portionsOf(found: Iterable<Pack>): Generator<readonly Change[]> {
  for (const pack of found) yield changesIn([pack]);
}
