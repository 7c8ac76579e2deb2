import fc from 'fast-check';
import { png } from '../../support/png.ts';
import { fromSchema, HOSTILE, STRANGE, type Manner, type Schema } from './from-schema.ts';

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

/** An operation of the API document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Partial<Record<string, Content>>>;
}

/** A request to send. */
export interface FuzzedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: string | Buffer | undefined;
}

const IDS = [
  '0',
  '-1',
  '01',
  '1.0',
  'abc',
  '%00',
  '%FF',
  '%',
  '99999999999999999999',
  '1%2F2',
  'en-cours',
  '..',
  "1'",
  '9007199254740993',
  'a'.repeat(600),
];

const BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"a"',
  '{"a":1}}',
  '{"__proto__":{"a":1}}',
  '{"titre":1e999}',
  '\ufeff{}',
  '{"a":"\\ud800"}',
  '['.repeat(5000),
];

const FILES = [
  Buffer.from('Title,Author,ISBN13,Exclusive Shelf\nDune,Frank Herbert,9782070360024,read\n'),
  Buffer.from('Quoi;Qui\nDune;Zoé\n'),
  png({ width: 60, height: 90, pixels: new Uint8Array(60 * 90) }),
  Buffer.from('\x89PNG\r\n\x1a\nmais coupée', 'latin1'),
  Buffer.from('PK\x03\x04', 'latin1'),
  Buffer.alloc(0),
];

const TYPES = ['text/plain', 'application/jsonx', '', 'application/json; charset=latin1'];
const TAGS = ['"1"', '*', 'W/"7"', '"1", "2"', 'x', ''];
const KEYS = ['a', 'b', 'é', ' ', 'k'.repeat(300)];

const seldom = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: rare });

/** Requests of an operation: most match its schema, the others are wrong in one place. */
export function requestsOf(operation: Operation): fc.Arbitrary<FuzzedRequest> {
  const { method, requestBody } = operation;
  const schema = requestBody?.content?.['application/json']?.schema;
  return fc
    .record({
      target: targets(operation),
      headers: headers(schema !== undefined),
      body: method === 'GET' ? fc.constant(undefined) : schema ? bodies(schema) : files(),
    })
    .map((request) => ({ ...request, method }));
}

/** Paths and queries; most ids exist. */
function targets({ path, parameters = [] }: Operation): fc.Arbitrary<string> {
  const id = fc.integer({ min: 1, max: 6 }).map(String);
  const parts = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) =>
      seldom(
        schema.type === 'string' ? written(schema, 'usual', name) : id,
        fc.constantFrom(...IDS),
      ),
    );
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, required = false }) => {
      const value = fc.oneof(
        { weight: 3, arbitrary: written(schema, 'usual', name) },
        written(schema, 'any', name),
        fc.constantFrom(...HOSTILE.map(encode), '%', '%FF'),
      );
      const pair = value.map((text) => [`${name}=${text}`]);
      return required ? pair : fc.oneof(pair, fc.constant([]));
    });
  const stray = seldom(fc.constant<string[]>([]), fc.constant(['constructor=1']));
  return fc.tuple(fc.tuple(...parts), fc.tuple(...query, stray)).map(([values, pairs]) => {
    const left = [...values];
    const place = path.replace(/\{\w+\}/g, () => left.shift() ?? '');
    const all = pairs.flat();
    return all.length === 0 ? place : `${place}?${all.join('&')}`;
  });
}

const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed());
const written = (schema: Schema, manner: Manner, name: string) =>
  fromSchema(schema, manner, name).map(encode);

function bodies(schema: Schema): fc.Arbitrary<string> {
  const fits = fromSchema(schema, 'any');
  const spoilt = fc
    .tuple(fits, fc.nat(), fc.constantFrom(...STRANGE))
    .map(([body, nth, value]) => spoil(body, nth, value));
  const json = fc.oneof({ weight: 2, arbitrary: fromSchema(schema, 'usual') }, fits, spoilt);
  return seldom(
    json.map((value) => JSON.stringify(value)),
    fc.constantFrom(...BODIES),
  );
}

/** Replaces a field of a body, or the whole body. */
function spoil(body: unknown, nth: number, value: unknown): unknown {
  if (typeof body !== 'object' || body === null) return value;
  const names = Object.keys(body);
  const name = names[nth % Math.max(1, names.length)];
  return name === undefined ? value : { ...body, [name]: value };
}

const files = () => fc.option(fc.constantFrom(...FILES), { nil: undefined });

function headers(isJson: boolean): fc.Arbitrary<string[]> {
  const some = (name: string, values: readonly string[]) =>
    seldom(
      fc.constant<string[]>([]),
      fc.constantFrom(...values).map((value) => [name, value]),
    );
  const type = isJson ? 'application/json' : 'application/octet-stream';
  return fc
    .tuple(
      seldom(fc.constant(type), fc.constantFrom(...TYPES)).map((each) => ['Content-Type', each]),
      fc.constantFrom(['SSO_USER', 'ana'], ['SSO_USER', 'bob'], []),
      some('If-Match', TAGS),
      some('If-None-Match', TAGS),
      some('Idempotency-Key', KEYS),
      some('X-Write-Key', KEYS),
      some('Sec-Fetch-Site', ['cross-site', 'same-origin']),
    )
    .map((all) => all.flat());
}
