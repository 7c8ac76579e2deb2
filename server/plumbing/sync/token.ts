// The `epoque` of a checkpoint: an opaque text that the replica sends back, with the server's state
// besides the revision. Read and written only here:
// `<epoch>-<generation>.<reader>.<sharedAfter>.<start>`, with `.<after>.<start>` of the
// modifications if the replica has any.

export interface Token {
  /** The epoch of the database and its generation; the epoch alone in a replica older than generations. */
  readonly origin: string;
  /** A digest of the replica's reader; '' for an unknown one. */
  readonly reader: string;
  /**
   * If later than the revision: how far shared records are complete, while another reader's are sent from the
   * beginning.
   */
  readonly sharedAfter: number;
  /** The database's revision when the replica was begun, 0 once complete: it has no record that was deleted earlier. */
  readonly start: number;
  /** `null` if the replica has no modifications. */
  readonly modifications: ModificationCursor | null;
}

/** The progress of the modifications, which are sent last, and only to a replica that asks for them. */
export interface ModificationCursor {
  /** The revision up to which the replica has them; 0 for none. */
  readonly after: number;
  /** The database's revision when the replica began to take them; 0 once complete. */
  readonly start: number;
}

const NUMBER = String.raw`(0|[1-9]\d{0,15})`;
const TOKEN = new RegExp(
  String.raw`^(\w+(?:-\w+)?)\.([0-9a-f]{16}|)\.${NUMBER}\.${NUMBER}(?:\.${NUMBER}\.${NUMBER})?$`,
);

/** `null` if malformed. */
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
