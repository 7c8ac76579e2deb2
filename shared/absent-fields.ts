interface Shape {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** A record of an earlier version, with empty values for missing fields, also within lists. */
export function withAbsentFields(shape: object, record: object): object {
  const { properties = {} }: Shape = shape;
  const changed = Object.entries(properties).flatMap(([name, field]): [string, unknown][] => {
    const value: unknown = Reflect.get(record, name);
    if (value === undefined) return [[name, nothing(field)]];
    return Array.isArray(value) && field.items?.properties !== undefined
      ? [[name, value.map((item: unknown) => inItem(field.items ?? {}, item))]]
      : [];
  });
  return changed.length === 0 ? record : { ...record, ...Object.fromEntries(changed) };
}

const inItem = (shape: Shape, item: unknown): unknown =>
  typeof item === 'object' && item !== null ? withAbsentFields(shape, item) : item;

function nothing(shape: Shape): unknown {
  if (shape.enum !== undefined) return shape.enum.includes(null) ? null : shape.enum[0];
  if (shape.type === 'array') return [];
  if (shape.type === 'string') return '';
  if (shape.type === 'integer' || shape.type === 'number') return 0;
  return shape.type === 'boolean' ? false : null;
}
