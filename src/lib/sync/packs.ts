import { withAbsentFields } from '#shared/absent-fields';
import { collectionNames, collections, type CollectionName } from '#shared/collections';
import type { Change, Checkpoint } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';

/**
 * A document of RxDB: all records of one kind whose ids share the upper bits. What RxDB and IndexedDB
 * cost is documents, not bytes, and text is read three times faster than objects (`npm run bench`).
 */
export interface Pack {
  /** `livres/12`: the kind, and the ids from 12 × `IDS` on. `STATE` for the copy's state. */
  readonly id: string;
  /** The hash of the shapes that its records were written in. */
  readonly shapes: string;
  /** Lines as JSON; of `STATE` a `State`. */
  readonly records: string;
}

const IDS = 128;

/** The document that says how far a copy has come. It is written with each page, in one bulk write. */
export const STATE = 'state';

export interface State extends Checkpoint {
  /** The household's identifier; empty before a page has named it. */
  readonly bibliotheque: string;
  /** Whether the initial replication is done: the copy has once been equal to the server. */
  readonly isComplete: boolean;
  /** The ids of its packs: to ask for each by its id is ten times faster than to search them. */
  readonly packs: readonly string[];
}

export const NO_PAGE: State = {
  epoque: '',
  revision: 0,
  bibliotheque: '',
  isComplete: false,
  packs: [],
};

/** A record in a pack; a deleted one stays as `null`, so that an older page does not bring it back. */
type Line = readonly [id: number, revision: number, document: object | null];

export const packIdOf = ({ collection, id }: Pick<Change, 'collection' | 'id'>): string =>
  `${collection}/${String(Math.floor(id / IDS))}`;

export const stateDocument = (state: State): Pack => ({
  id: STATE,
  shapes: SHAPES,
  records: JSON.stringify(state),
});

/** A state of an earlier version lacks what has come since. */
const readState = ({ records }: Pack): State => ({
  ...NO_PAGE,
  ...unsafeCast<Partial<State>>(JSON.parse(records)),
});

/** Whether two states are of the same revision of one database, whatever packs they name. */
export const isSameState = (a: Omit<State, 'packs'>, b: Omit<State, 'packs'>): boolean =>
  a.epoque === b.epoque &&
  a.revision === b.revision &&
  a.bibliotheque === b.bibliotheque &&
  a.isComplete === b.isComplete;

/** The state that one write has brought; `null` where it brought none. */
export function stateIn(packs: readonly Pack[]): State | null {
  const document = packs.find(({ id }) => id === STATE);
  return document === undefined ? null : readState(document);
}

/**
 * The packs that a page of changes touches, with its changes in them: of two about one record the
 * later revision stays, so that a page which comes twice, or late, changes nothing.
 *
 * @param held the packs of the device; those that it lacks are begun
 */
export function fold(held: ReadonlyMap<string, Pack>, changes: readonly Change[]): Pack[] {
  const touched = Map.groupBy(changes, packIdOf);
  return [...touched].flatMap(([id, some]) => {
    const pack = held.get(id);
    const lines = new Map((pack ? linesOf(pack) : []).map((line) => [line[0], line]));
    const news = some.filter((change) => (lines.get(change.id)?.[1] ?? -1) < change.revision);
    if (news.length === 0) return [];
    for (const { id: record, revision, document } of news)
      lines.set(record, [record, revision, document]);
    return [{ id, shapes: SHAPES, records: JSON.stringify([...lines.values()]) }];
  });
}

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

function linesOf(pack: Pack): Line[] {
  const lines = unsafeCast<Line[]>(JSON.parse(pack.records));
  const kind = kindOf(pack);
  if (pack.shapes === SHAPES || kind === null) return lines;
  return lines.map(([id, revision, document]) => [id, revision, inTodaysShape(kind, document)]);
}

/**
 * A record of an earlier shape, with empty values for the fields that came since. They are the server's own:
 * no migration gives a row another value without a line of the journal (test/released).
 */
const inTodaysShape = (kind: CollectionName, document: object | null): object | null =>
  document === null ? null : withAbsentFields(collections[kind].document, document);

/** The same for changes of another version; a kind that this application does not know is left out. */
export const inTodaysShapes = (changes: readonly Change[]): Change[] =>
  changes
    .filter(({ collection }) => collectionNames.includes(collection))
    .map((change) =>
      unsafeCast<Change>({
        ...change,
        document: inTodaysShape(change.collection, change.document),
      }),
    );

/**
 * Where packs are read by their ids: a collection, by its storage, as a query of RxDB waits for ever where that fails,
 * and would make and cache an RxDocument for each pack; or its database before RxDB is loaded.
 */
export interface PackSource {
  readonly storageInstance: {
    findDocumentsById(ids: string[], withDeleted: boolean): Promise<readonly Pack[]>;
  };
}

/** The packs of some ids that there are. Throws what the storage throws. */
export async function packsOf(
  { storageInstance }: PackSource,
  ids: readonly string[],
): Promise<Map<string, Pack>> {
  const found = await storageInstance.findDocumentsById([...ids], false);
  return new Map(found.map((pack) => [pack.id, pack]));
}

/** How far a copy has come; `null` before its first page. */
export async function stateOf(source: PackSource): Promise<State | null> {
  const document = (await packsOf(source, [STATE])).get(STATE);
  return document === undefined ? null : readState(document);
}

/** The packs that the first screen shows are read first, acts, the longest list, last. */
const KINDS: ReadonlySet<CollectionName> = new Set([
  ...(['livres', 'prets', 'statuts'] as const),
  ...collectionNames.filter((kind) => kind !== 'modifications'),
  'modifications',
]);

/** Hands over all records, those of a kind at a time, a pack being a portion; the first screen's kinds come first. */
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

/** Parsed one by one, as they are taken. */
function* portionsOf(found: Iterable<Pack>): Generator<readonly Change[]> {
  for (const pack of found) yield changesIn([pack]);
}

/** A hash of today's shapes, not for security. `crypto.subtle` is missing on plain http. */
const SHAPES = fnv1a(
  JSON.stringify(collectionNames.map((name) => [name, collections[name].document])),
);

function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash.toString(36);
}
