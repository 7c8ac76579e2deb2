/** The part of a JSON schema that an outline is compared with. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/**
 * Whether a JSON value fits a schema's outline: its type, required properties, and the first element of a list. A
 * validator would burden a device's first load and delay each response.
 */
export function hasOutline({ type, required = [], items, anyOf }: Shape, value: unknown): boolean {
  if (anyOf !== undefined) return anyOf.some((shape) => hasOutline(shape, value));
  const kind = kindOf(value);
  const kinds = [type ?? kind].flat().map((one) => (one === 'integer' ? 'number' : one));
  if (!kinds.includes(kind)) return false;
  if (Array.isArray(value))
    return items === undefined || value.length === 0 || hasOutline(items, value[0]);
  return (
    typeof value !== 'object' ||
    value === null ||
    required.every((name) => Object.hasOwn(value, name))
  );
}
