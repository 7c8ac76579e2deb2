/** Typed keys, for an object without more properties than its type. */
export const objectKeys = <T extends object>(object: T): readonly (keyof T & string)[] =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- to TypeScript an object may have more
  Object.keys(object) as (keyof T & string)[];

/** The same keys with mapped values. */
export const mapObject = <K extends string, V, W>(
  object: Readonly<Record<K, V>>,
  make: (name: K, value: V) => W,
): Record<K, W> =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- it has the keys of the object
  Object.fromEntries(
    objectKeys(object).map((name): [K, W] => [name, make(name, object[name])]),
  ) as Record<K, W>;

/** A name that a file says may be `constructor`, which every object inherits. */
export const ownValue = <V>(object: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
