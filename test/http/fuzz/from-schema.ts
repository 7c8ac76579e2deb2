import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character.ts';

/** The part of JSON Schema that the API document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Plausible values by field name; few, so that records match each other. */
const SAMPLES: Readonly<Partial<Record<string, readonly string[]>>> = {
  isbn: ['9782070360024', '978-2-07-036002-4', '2070360024'],
  code: ['9782070360024'],
  depuis: ['2026-01-02', ''],
  aRendre: ['2026-03-03', ''],
  issn: ['0317-8471', '0153-4092'],
  date: ['2024-05', 'printemps 2024', '2024'],
  coverUrl: ['http://127.0.0.1:1/a.jpg'],
  numero: ['1', '02', 'hors-série 3'],
};
const WORDS = ['Sido', 'Dune, tome 2', 'L’Écume des jours', 'Colette', 'C. Colette', 'Zoé', 'Mer'];

/** Texts that often break programs. */
export const HOSTILE = [
  '',
  ' ',
  'e\u0301',
  'e' + '\u0301\u0323'.repeat(200),
  '\0',
  '\ud800',
  '𝔄'.repeat(300),
  'a'.repeat(11_000),
  "'; DROP TABLE Livre; --",
  '%',
  '_',
  '{{7*7}}',
  '<script>',
  '../../etc/passwd',
  '0',
  '-1',
  '1e9',
  'NaN',
  'null',
  'true',
  '__proto__',
  'constructor',
  'Physique',
  'http://127.0.0.1:1/a.jpg',
  'javascript:alert(1)',
  '\u202e',
  '\ufeff',
  '\u0007',
];

/** Values of wrong types. */
export const STRANGE: readonly unknown[] = [
  ...HOSTILE,
  0,
  -1,
  1,
  1.5,
  1e300,
  2 ** 53,
  null,
  true,
  false,
  [],
  {},
  [null],
  [[[]]],
  { nom: null },
  ['A', 'a'],
  [{ nom: 'B' }, 'C'],
  Array(200).fill('a'),
  { id: 1 },
];

/** `usual`: plausible values, mostly accepted; `any`: everything that the schema allows. */
export type Manner = 'usual' | 'any';

/** Values that match a schema; `name` is their field's name. */
export function fromSchema(schema: Schema, manner: Manner, name = ''): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => fromSchema(each, manner, name)));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return fc.oneof(...types.map((type) => ofType(type, schema, manner, name)));
}

function ofType(type: string, schema: Schema, manner: Manner, name: string) {
  if (type === 'string') return texts(schema, manner, name);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') return numbers(schema, manner);
  if (type === 'array') return lists(schema, manner);
  if (type === 'object') return objects(schema, manner);
  return fc.constant(null);
}

function texts(
  { pattern, minLength = 0, maxLength = 500 }: Schema,
  manner: Manner,
  name: string,
): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(RegExp(pattern));
  const usual = fc.constantFrom(...(SAMPLES[name] ?? WORDS));
  if (manner === 'usual') return usual;
  const fits = HOSTILE.filter(({ length }) => length >= minLength && length <= maxLength);
  return fc.oneof(
    usual,
    fc.constantFrom(...fits),
    fc.string({ unit: anyCharacter, minLength, maxLength: Math.min(maxLength, minLength + 20) }),
    fc.constant('x'.repeat(maxLength)),
  );
}

/** Integers; small ones are ids of existing records. */
function numbers({ minimum: min = -1000, maximum: max = 1_000_000 }: Schema, manner: Manner) {
  const least = Math.max(min, 1);
  const small = fc.integer({ min: Math.min(least, max), max: Math.min(max, least + 5) });
  return manner === 'usual'
    ? small
    : fc.oneof({ weight: 3, arbitrary: small }, fc.constantFrom(min, max));
}

function lists({ items = {}, minItems = 0, maxItems = 4000 }: Schema, manner: Manner) {
  const maxLength = Math.min(maxItems, minItems + 4);
  return fc.array(fromSchema(items, manner), { minLength: minItems, maxLength });
}

function objects({ properties = {}, required = [] }: Schema, manner: Manner) {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, fromSchema(schema, manner, name)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}
