import type { ErrorObject } from 'ajv';

/** The part of a JSON schema that says how long an array may be. */
interface Bounds {
  readonly maxItems?: number;
  readonly items?: Bounds;
  readonly properties?: Readonly<Record<string, Bounds>>;
  readonly anyOf?: readonly Bounds[];
}

/**
 * The arrays of a value that are longer than their schema allows, as Ajv would report them. Ajv with
 * `allErrors` visits every entry of an array that it has just refused for its length: these arrays
 * are looked for first, and a value that holds one is not validated any further.
 */
export function findOverlongArrays(schema: object, value: unknown): ErrorObject[] {
  return overlong(schema, value, '');
}

function overlong(schema: Bounds, value: unknown, instancePath: string): ErrorObject[] {
  if (schema.anyOf !== undefined) {
    return schema.anyOf.flatMap((branch) => overlong(branch, value, instancePath));
  }
  if (Array.isArray(value)) return overlongArray(schema, value, instancePath);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    overlong(property, propertyOf(value, name), `${instancePath}/${name}`),
  );
}

function overlongArray(
  { maxItems, items }: Bounds,
  value: readonly unknown[],
  instancePath: string,
): ErrorObject[] {
  if (maxItems !== undefined && value.length > maxItems) {
    const params = { limit: maxItems };
    return [{ instancePath, schemaPath: '', keyword: 'maxItems', params }];
  }
  if (items === undefined) return [];
  return value.flatMap((item, index) => overlong(items, item, `${instancePath}/${String(index)}`));
}

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
