import type { Static, TObject } from 'typebox';
import { shortened } from '#shared/text';
import { ownValue } from '#shared/object-keys';
import { raison, type Raison } from './raisons.ts';
import { faultOf, validatorOf, type SchemaError } from './schemas.ts';

/**
 * A field of a foreign record that does not fit its schema: its path (« prets.1.datePret »), the reason and the
 * value.
 */
export interface Fault {
  readonly champ: string;
  readonly raison: Raison;
  readonly text: string;
}

export interface LenientResult<D> {
  /** `null` if a required field is invalid. */
  readonly record: D | null;
  /** The first of them, and how many more. */
  readonly faults: readonly Fault[];
  readonly moreFaults: number;
}

interface Shape {
  readonly additionalProperties?: Shape;
  readonly enum?: readonly unknown[];
  readonly items?: Shape;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly type?: string | readonly string[];
}

/**
 * Validates a foreign record field by field, in linear time. An invalid value becomes `null` if the schema allows it,
 * is removed from its list, and otherwise rejects the record; a blank text is `null` (docs/rules.md § 41).
 */
export function parseLenient<S extends TObject>(
  schema: S,
  given: unknown,
): LenientResult<Static<S>> {
  const parser = new LenientParser();
  const record = parser.parseLenient(schema, given, '');
  return {
    record: validatorOf(schema)(record) ? record : null,
    faults: parser.faults,
    moreFaults: parser.moreFaults,
  };
}

const MAX_FAULTS = 20;
const MAX_TEXT_LENGTH = 40;

class LenientParser {
  readonly faults: Fault[] = [];
  moreFaults = 0;

  /** Returns `undefined` for an invalid value. */
  parseLenient(schema: Shape, given: unknown, champ: string): unknown {
    const nothing = allowsNull(schema) ? null : undefined;
    if (given === '' && nothing === null) return null;
    const { properties, items } = schema;
    if (isObject(given) && properties !== undefined)
      return this.#parseFields(schema, given, champ) ?? nothing;
    if (Array.isArray(given) && items !== undefined) return this.#parseItems(schema, given, champ);
    const validate = validatorOf(schema);
    if (validate(given)) return given;
    for (const error of validate.errors?.slice(0, 1) ?? []) this.#addFault(champ, given, error);
    return nothing;
  }

  #parseFields(
    { properties = {}, required = [], additionalProperties }: Shape,
    given: Readonly<Record<string, unknown>>,
    champ: string,
  ): object | undefined {
    const fields = Object.entries(properties).flatMap(([name, field]): [string, unknown][] => {
      const value = ownValue(given, name);
      if (value === undefined && !required.includes(name)) return [];
      return [[name, this.parseLenient(field, value, champ === '' ? name : `${champ}.${name}`)]];
    });
    if (additionalProperties !== undefined)
      fields.push(...this.#parseOthers(additionalProperties, { properties, given, champ }));
    const isWhole = fields.every(
      ([name, value]) => value !== undefined || !required.includes(name),
    );
    return isWhole ? Object.fromEntries(fields) : undefined;
  }

  /** Keeps the properties that a later version has added to an open object. */
  #parseOthers(
    schema: Shape,
    {
      properties,
      given,
      champ,
    }: {
      readonly properties: object;
      readonly given: Readonly<Record<string, unknown>>;
      readonly champ: string;
    },
  ): [string, unknown][] {
    return Object.entries(given)
      .filter(([name]) => !Object.hasOwn(properties, name))
      .map(([name, value]): [string, unknown] => [
        name,
        this.parseLenient(schema, value, `${champ}.${name}`),
      ])
      .filter(([, value]) => value !== undefined);
  }

  #parseItems(
    { items = {}, maxItems = Infinity }: Shape,
    given: unknown[],
    champ: string,
  ): unknown[] {
    const kept = given
      .map((item, index) => this.parseLenient(items, item, `${champ}.${index + 1}`))
      .filter((item) => item !== undefined);
    if (kept.length > maxItems)
      this.#addFault(champ, given, { keyword: 'maxItems', params: { limit: maxItems } });
    return kept.slice(0, maxItems);
  }

  #addFault(champ: string, given: unknown, error: Pick<SchemaError, 'keyword' | 'params'>): void {
    if (this.faults.length < MAX_FAULTS)
      this.faults.push({ champ, raison: raison('champ', faultOf(error)), text: textOf(given) });
    else this.moreFaults++;
  }
}

/** A list or an object is not shown. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return shortened(value, MAX_TEXT_LENGTH);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const allowsNull = (schema: Shape): boolean =>
  schema.enum?.includes(null) ?? [schema.type].flat().includes('null');
