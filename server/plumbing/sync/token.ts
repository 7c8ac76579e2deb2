// The `epoque` of a checkpoint: what a replica sends back, as text, of all that the server has to know besides the revision.
// It is read and written here alone. `<epoch>-<generation>.<reader>.<sharedAfter>.<start>`, and
// `.<after>.<start>` of the acts if the replica holds any.

export interface Token {
  /** The epoch of the database and its generation; the epoch alone in a replica older than generations. */
  readonly origin: string;
  /** Whose copy it is, as a digest; '' for an unknown reader. */
  readonly reader: string;
  /** If later than the revision, how far what is shared is held: another reader's records are sent from the beginning. */
  readonly sharedAfter: number;
  /** The database's revision when the replica was begun, 0 once complete: it has no record that was deleted earlier. */
  readonly start: number;
  /** `null` if the replica holds no acts. */
  readonly modifications: ModificationCursor | null;
}

/** How far a replica holds acts, which are sent after all else, and only to a replica that asks for them. */
export interface ModificationCursor {
  /** The revision up to which the replica holds them; 0 if it holds none. */
  readonly after: number;
  /** The database's revision when the replica began to take them, 0 once it has all. */
  readonly start: number;
}

const NUMBER = String.raw`(0|[1-9]\d{0,15})`;
const TOKEN = new RegExp(
  String.raw`^(\w+(?:-\w+)?)\.([0-9a-f]{16}|)\.${NUMBER}\.${NUMBER}(?:\.${NUMBER}\.${NUMBER})?$`,
);

/** `null` for what is none. */
export function parseToken(epoque: string): Token | null {
  const [, origin, reader, sharedAfter, start, after, begun] = TOKEN.exec(epoque) ?? [];
  if (origin === undefined || reader === undefined) return null;
  return {
    origin,
    reader,
    sharedAfter: Number(sharedAfter),
    start: Number(start),
    modifications: after === undefined ? null : { after: Number(after), start: Number(begun) },
  };
}

export const formatToken = ({ origin, reader, sharedAfter, start, modifications }: Token): string =>
  [
    origin,
    reader,
    sharedAfter,
    start,
    ...(modifications === null ? [] : [modifications.after, modifications.start]),
  ].join('.');
