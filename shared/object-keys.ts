/** For an object without more properties than its type names. */
export const objectKeys = <T extends object>(object: T): readonly (keyof T & string)[] =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- to TypeScript an object may have more
  Object.keys(object) as (keyof T & string)[];
