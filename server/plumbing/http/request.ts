import { createHash, type Hash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { httpErrors } from '@fastify/sensible';
import type { ErrorObject } from 'ajv';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { ChampFault } from '#shared/champs';
import type { Endpoint } from '#shared/endpoint';
import { LONG_TEXTS } from '#shared/fields';
import { champRefusal, Refusal, type ChampRefused } from '#shared/refusals';
import { nfc, storedLine } from '#shared/text';
import { callerKeyOf } from '#server/plumbing/http/identity';
import type { May } from '#server/plumbing/common/access';
import { faultOf, validatorOf, type SchemaError } from '#server/plumbing/common/schemas';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on operations of the API. */
    endpoint?: Endpoint;
    documented?: FastifySchema;
    /** Who may call the route; `household` by default. */
    may?: May;
  }
  interface FastifyRequest {
    /** The body's bytes; `null` before it is read, and without a body. */
    bodyBytes: Buffer | null;
    /** The body of an operation that reads its file itself; ends with an error where it is too long. */
    bodyStream: Readable | null;
    /** The digest of `bodyStream` so far. */
    bodyHash: Hash | null;
  }
}

/**
 * The slowest accepted rate for receiving a body and for reading a long response, in bytes per minute of waiting.
 * Node's `requestTimeout` would bound a whole body whatever its length.
 */
export const MIN_RATE = { bytes: 64 * 1024, ms: 60_000 } as const;

/** An overlong body is read this much further and discarded, so that its sender gets the answer. */
const MAX_BYTES_DISCARDED = 15 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Accepts bodies as uncompressed JSON in UTF-8 only; a route with `bytes` accepts any media type. Fastify's own
 * reader (`parseAs`) closes the connection on an overlong body without a response, waits for a slow one forever and
 * accepts invalid UTF-8.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('bodyBytes', null);
  app.decorateRequest('bodyStream', null);
  app.decorateRequest('bodyHash', null);
  app.addHook('onResponse', ({ bodyStream, raw }, _reply, next) => {
    if (bodyStream !== null && !raw.complete) void discardRest(raw);
    next();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: Readable) => {
      const bytes = await receive(request, payload);
      if (bytes === null) return undefined;
      if (namesOtherCharset(request)) throw httpErrors.unsupportedMediaType();
      request.bodyBytes = bytes;
      const text = decodeBody(bytes);
      if (text === '') return undefined;
      return new Promise((resolve, reject) => {
        void parse(request, text, (error, body) => {
          if (error) reject(error);
          else resolve(body);
        });
      });
    },
  );
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await receive(request, payload);
    if (bytes !== null && bytes.length > 0) throw httpErrors.unsupportedMediaType();
  });
}

/** Reads a body; `null` for a file, which its operation reads. */
async function receive(request: FastifyRequest, payload: Readable): Promise<Buffer | null> {
  const { bodyLimit } = request.routeOptions;
  const { endpoint } = request.routeOptions.config;
  // The decompressed size would have no bound.
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const isEncoded = encoding.toLowerCase() !== 'identity';
  if (endpoint?.streamed) {
    if (isEncoded) throw httpErrors.unsupportedMediaType();
    if (Number(request.headers['content-length']) > bodyLimit) throw httpErrors.payloadTooLarge();
    request.bodyHash = createHash('sha256');
    request.bodyStream = Readable.from(limited(arriving(payload), bodyLimit, request.bodyHash));
    return null;
  }
  const bytes = await readWhole(payload, bodyLimit);
  if (bytes.length > 0 && isEncoded) throw httpErrors.unsupportedMediaType();
  if (endpoint?.bytes === undefined) return bytes;
  request.bodyBytes = bytes;
  return null;
}

async function* limited(
  body: AsyncIterable<Buffer>,
  max: number,
  hash: Hash,
): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > max) throw httpErrors.payloadTooLarge();
    hash.update(chunk);
    yield chunk;
  }
}

const namesOtherCharset = ({ headers }: FastifyRequest): boolean =>
  /;\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$))/i.test(headers['content-type'] ?? '');

async function readWhole(payload: Readable, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of arriving(payload)) {
    length += chunk.length;
    if (length > max + MAX_BYTES_DISCARDED) break;
    if (length <= max) chunks.push(chunk);
  }
  if (length > max) throw httpErrors.payloadTooLarge();
  return Buffer.concat(chunks);
}

/**
 * Reads the rest of a file that the operation left: the sender then gets the response instead of a broken connection.
 */
async function discardRest(payload: Readable): Promise<void> {
  let length = 0;
  try {
    for await (const chunk of arriving(payload)) {
      length += chunk.length;
      if (length > MAX_BYTES_DISCARDED) break;
    }
  } catch {
    // A sender that is too slow or gone has its response already.
  }
  payload.destroy();
}

/**
 * Yields the chunks of a body. Throws 408 if they are slower than `MIN_RATE`; the consumer's own time does not count.
 */
async function* arriving(payload: Readable): AsyncGenerator<Buffer> {
  const received: AsyncIterator<Buffer> = payload.iterator({ destroyOnReturn: false });
  let bytes = 0;
  let msLeft: number = MIN_RATE.ms;
  try {
    for (;;) {
      const began = performance.now();
      const next = await within(msLeft, received.next());
      if (next.done === true) return;
      msLeft -= performance.now() - began;
      bytes += next.value.length;
      if (bytes >= MIN_RATE.bytes) {
        bytes = 0;
        msLeft = MIN_RATE.ms;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: after a late chunk it would wait for the next one.
    void received.return?.();
  }
}

async function within<T>(ms: number, promised: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(httpErrors.requestTimeout()), Math.max(0, ms));
  return Promise.race([promised, late.promise]).finally(() => clearTimeout(timer));
}

function decodeBody(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw champRefusal('corps', 'PAS_UTF8');
  }
}

/** More values than any payload needs, and few enough to validate at once. */
const MAX_VALUES = 20_000;

/** Refuses NUL and lone surrogates, which SQLite and JSON do not round-trip (docs/rules.md § 3). */
function checkText(text: string, champ: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw champRefusal(champ, 'CARACTERE_INTERDIT');
}

/** A text as it is stored: trimmed, in NFC and on one line; long texts keep line breaks, as LF. */
function cleanText(text: string, champ: string, isLong = false): string {
  checkText(text, champ);
  return isLong ? nfc(text.replace(/\r\n?/g, '\n').trim()) : storedLine(text);
}

/** Cleans every text of a parsed JSON body in place; iterative, so that deep nesting does not overflow the stack. */
export function cleanBody(body: unknown): Record<string, unknown> {
  if (!isBranch(body) || Array.isArray(body)) throw champRefusal('corps', 'PAS_OBJET');
  const pending: { branch: Branch; path: string }[] = [{ branch: body, path: '' }];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { branch, path } = next;
    for (const key of Object.keys(branch)) {
      if (++seen > MAX_VALUES) throw champRefusal('corps', 'TROP_DE_VALEURS');
      const champ = path + key;
      checkText(key, 'corps');
      const value = branch[key];
      if (typeof value === 'string') branch[key] = cleanText(value, champ, LONG_TEXTS.has(key));
      else if (isBranch(value)) pending.push({ branch: value, path: `${champ}.` });
    }
  }
  return body;
}

/** An object or array of parsed JSON; array indexes are keys. */
type Branch = Record<string, unknown>;

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null;

export function readQuery(url: string): Record<string, string> {
  const query: Record<string, string> = {};
  const start = url.indexOf('?');
  const pairs = start === -1 ? [] : url.slice(start + 1).split('&');
  const seen = new Set<string>();
  for (const pair of pairs.filter((some) => some !== '')) {
    const [, rawName = '', rawValue = ''] = /^([^=]*)(?:=(.*))?$/s.exec(pair) ?? [];
    const name = cleanText(decode(rawName, 'adresse'), 'adresse');
    if (seen.has(name)) throw champRefusal(name, 'DONNE_DEUX_FOIS');
    seen.add(name);
    const value = cleanText(decode(rawValue, name), name);
    if (value !== '') query[name] = value;
  }
  return query;
}

/** Node gives non-ASCII raw bytes as latin1. */
function decode(text: string, champ: string): string {
  try {
    const raw = /[\x80-\xff]/.test(text) ? utf8.decode(Buffer.from(text, 'latin1')) : text;
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    throw champRefusal(champ, 'ILLISIBLE');
  }
}

/** Query strings are coerced (`12` is a number), bodies are not. An invalid path is 404 (docs/rules.md § 3). */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const types = httpPart === 'querystring' ? typesOf(schema) : new Map<string, string>();
  return (given: unknown) => {
    const value = types.size > 0 ? readTyped(given, types) : given;
    const validate = validatorOf(schema);
    if (validate(value)) return { value };
    if (httpPart === 'params') return { error: httpErrors.notFound() };
    return { error: new Refusal('REQUETE_INVALIDE', { champs: toChamps(validate.errors ?? []) }) };
  };
};

function typesOf(schema: object): Map<string, string> {
  const { properties = {} }: { properties?: Record<string, { type?: string }> } = schema;
  return new Map(Object.entries(properties).map(([name, { type = '' }]) => [name, type]));
}

/**
 * Converts the texts of a query string to their schema's types. Ajv's own coercion would also accept `0x10`, `1e3`
 * and `Infinity`, whose bounds it does not check.
 */
function readTyped(query: unknown, types: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    entriesOf(query).map(([name, text]) => [name, readText(String(text), types.get(name))]),
  );
}

function readText(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

export const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** More than a form has fields; further errors are not reported. */
const MAX_CHAMPS = 20;

/** `champ` is a dotted path; twenty at most (docs/rules.md § 3), and no entries of an overlong array. */
export function toChamps(errors: readonly ErrorObject[]): ChampRefused[] {
  const champs = new Map<string, ChampFault>();
  let overlong: string | null = null;
  for (const error of mergeUnions(errors)) {
    // Ajv reports an array's length right before its entries.
    if (error.keyword === 'maxItems') overlong = `${error.instancePath}/`;
    else if (overlong !== null && error.instancePath.startsWith(overlong)) continue;
    const champ = champOf(error);
    if (!champs.has(champ)) champs.set(champ, faultOf(error));
    if (champs.size === MAX_CHAMPS) break;
  }
  return Array.from(champs, ([champ, fault]) => ({ champ, ...fault }));
}

/**
 * Reduces a union's errors to those of the branch with the value's type, else to one error that lists all types. Ajv
 * reports a union right after its branches, so that one pass over a stack is enough.
 */
function mergeUnions(errors: readonly ErrorObject[]): ErrorObject[] {
  const merged: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      merged.push(error);
      continue;
    }
    const end = merged.findLastIndex((other) => !isInUnion(other, error));
    const branches = merged.splice(end + 1);
    const inside = branches.filter((other) => !isWrongType(other, error));
    if (inside.length > 0) for (const other of inside) merged.push(other);
    else {
      const type = branches.flatMap(({ params }): unknown[] => [params['type']].flat());
      merged.push({ ...error, keyword: 'type', params: { type } });
    }
  }
  return merged;
}

const isInUnion = (error: ErrorObject, union: ErrorObject): boolean =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) &&
  (error.instancePath === union.instancePath ||
    error.instancePath.startsWith(`${union.instancePath}/`));

/** Whether a branch expects another type. */
const isWrongType = (error: ErrorObject, union: ErrorObject): boolean =>
  error.keyword === 'type' && error.instancePath === union.instancePath;

function champOf({ instancePath, keyword, params }: SchemaError): string {
  const segments = instancePath.split('/').slice(1);
  if (keyword === 'required') segments.push(String(params['missingProperty']));
  const names = segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.length === 0 ? 'corps' : names.join('.');
}

/** Aborted when the client disconnects before the response is sent. A request's own signal ends with its body. */
export function whileAwaited({ raw }: FastifyReply): AbortSignal {
  if (raw.closed) return AbortSignal.abort();
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** The queue owner of a request, with a signal that lasts as long as the response is awaited. */
export const queueOwnerOf = ({
  request,
  reply,
}: {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}): { readonly owner: string; readonly signal: AbortSignal } => ({
  owner: callerKeyOf(request),
  signal: whileAwaited(reply),
});

/** The slowest accepted rate of a client while others wait for its slot. */
export const WANTED_RATE = { bytes: 256 * 1024, ms: 15_000 } as const;

/**
 * Fails if the client reads a response more slowly than `MIN_RATE`.
 *
 * @param mustLeave whether others wait for the client's slot; asked if it reads more slowly than `WANTED_RATE`
 */
export function abortSlowClient(mustLeave: () => boolean = () => false): Transform {
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const window of windows) window.taken += chunk.length;
      done(null, chunk);
    },
  });
  const windows = [
    { rate: MIN_RATE, taken: 0, isOver: () => true },
    { rate: WANTED_RATE, taken: 0, isOver: mustLeave },
  ];
  const timers = windows.map((window) =>
    setInterval(() => {
      if (window.taken < window.rate.bytes && window.isOver())
        stream.destroy(new Error('Nobody reads the answer'));
      window.taken = 0;
    }, window.rate.ms).unref(),
  );
  return stream.once('close', () => {
    for (const timer of timers) clearInterval(timer);
  });
}
