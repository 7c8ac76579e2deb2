import type { Static, TSchema } from 'typebox';
import type { ChangeReader, RecordCollection } from './change-reader.ts';
import { IdParams } from './fields.ts';

/**
 * One operation of the service, declared once: the server mounts it, the client calls it, and the
 * OpenAPI document is made from it.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the origin, with parameters as `:name`. */
  readonly path: `/api/${string}`;
  /** One sentence in French for the API's documentation. */
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body is a file of any media type instead of JSON, of at most this many bytes. */
  readonly bytes?: number;
  /** The file may be larger than memory: the operation reads it as it comes. */
  readonly streamed?: true;
  /** The answer's shape; none where the answer has no JSON body. */
  readonly response?: TSchema;
  /** The status of success, 200 when left out. */
  readonly status?: 200 | 201 | 204;
  /** The media type of the answer, JSON when left out. */
  readonly type?: string;
  /** How often one person may ask it within a minute: it asks the outside, or takes files. */
  readonly perMinute?: number;
  /** Statuses besides its own and those of every operation. */
  readonly also?: readonly number[];
  /**
   * True where the caller must be known: refused with `IDENTITE_INCONNUE` before anything else. A
   * function of the path's parameters, as they came, where only a part is personal.
   */
  readonly personal?: true | ((params: Readonly<Partial<Record<string, unknown>>>) => boolean);
  /**
   * True where the household alone acts: its act names nobody, the page sends no reader with it, and none is looked at
   * (docs/rules.md § 39). A function of the body where only some requests are so.
   */
  readonly isHouseholds?: true | ((body: unknown) => boolean);
  /** True where it is answered to whoever is not signed in, although the service has accounts (docs/rules.md § 53). */
  readonly isOpen?: true;
  /** True where a key that may only read may stand in the address (docs/rules.md § 54). */
  readonly keyInAddress?: true;
  /** True for a read that keeps what it has fetched: a key that may only read is refused it. */
  readonly writesBehind?: true;
  /** True where everything may be replaced, members and keys too: no key may, nor a member who does not manage the house. */
  readonly replacesAll?: true;
  /** True where an answer may hold a secret, so that none is kept for a request's key. */
  readonly isSecret?: true;
  /**
   * True where the operation is undone by one of its own, and keeps its act itself if it is one; or
   * where it changes nothing of the household.
   */
  readonly hasOwnUndo?: true;
  /** How a write is told; every write has it, but `hasOwnUndo` and the undoing itself. */
  readonly modification?: ModificationWords;
  /** The one record of the answer, or the one that a PUT or DELETE changes. */
  readonly record?: EndpointRecord;
}

/** How what an operation did is told in the history (docs/rules.md § 39). */
interface ModificationWords {
  /** The operation's name as it is kept; operations that do the same have the same. */
  readonly operation: string;
  /**
   * What is said once it is taken back, without its full stop: « Le retour {} est annulé ». `{}` stands for
   * the first record that it touched, `{numeros}` for the first of that kind; without it none is named.
   */
  readonly undone: string;
  /**
   * One sentence in French, « Prêté à Luc : Dune »: the verb first and the name last, since the bar cuts
   * the end of what is too long for its line. A text is followed by the record's name.
   */
  readonly resume: string | ((changes: ChangeReader) => string);
}

/**
 * Makes the words of acts that are undone in one sentence. Their `kind` is that of the record which it
 * names, by default the first that was touched, as in `undone`.
 * @__NO_SIDE_EFFECTS__
 */
export const actWords =
  (undone: (named: string) => string) =>
  (
    operation: string,
    resume: ModificationWords['resume'],
    kind: RecordCollection | '' = '',
  ): ModificationWords => ({ operation, undone: undone(`{${kind}}`), resume });

export const added = actWords((named) => `L’ajout ${named} est annulé`);
export const edited = actWords((named) => `La modification ${named} est annulée`);
export const deleted = actWords((named) => `La suppression ${named} est annulée`);
export const arranged = actWords(() => 'Le rangement est annulé');

/** A record with an `ETag`, the revision of its line in the journal (docs/rules.md § 29). */
interface EndpointRecord {
  readonly collection: RecordCollection;
  /** False where the answer holds more than the tag covers: it is never « not modified » (304). */
  readonly tagCoversBody?: false;
}

/**
 * The header that gives a write one key for all its tries (docs/rules.md § 29). A PUT or DELETE has its
 * own: `Idempotency-Key` says nothing on them.
 */
export const keyHeaderOf = (method: string): 'Idempotency-Key' | 'X-Write-Key' =>
  method === 'POST' ? 'Idempotency-Key' : 'X-Write-Key';

/** In whose name a page writes, as an address has it: a write of another reader's by now is refused (docs/rules.md § 33). */
export const READER_HEADER = 'X-Lecteur';

/** Whether a request is the household's, and no person's. */
export const isHouseholds = (
  { isHouseholds: rule }: Pick<Endpoint, 'isHouseholds'>,
  body: unknown,
): boolean => (typeof rule === 'function' ? rule(body) : rule === true);

/**
 * Keeps the exact types of an operation's declaration.
 * @__NO_SIDE_EFFECTS__
 */
export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration;

/** No act, and no answer of it is kept: what has to do with who comes in, and by what. */
export const apart = { hasOwnUndo: true, isSecret: true } as const;

/** What the operations on one record of a kind have in common. */
export const onRecord = <const C extends RecordCollection>(collection: C) =>
  ({ path: `/api/${collection}/:id`, params: IdParams, record: { collection } }) as const;

type Part<E, K extends string> =
  E extends Readonly<Record<K, infer S>> ? (S extends TSchema ? Static<S> : undefined) : undefined;

export type Params<E extends Endpoint> = Part<E, 'params'>;
export type Query<E extends Endpoint> = Part<E, 'query'>;
export type Body<E extends Endpoint> = Part<E, 'body'>;
export type Answer<E extends Endpoint> = Part<E, 'response'>;
