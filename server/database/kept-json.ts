/**
 * Reads a JSON text of the database that this service wrote itself, from a value of the same type. It is not
 * checked: an undoing and an import read ten thousands of them.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/no-unsafe-type-assertion -- the one place where the type of kept JSON is asserted
export const parseKept = <T>(text: string): T => JSON.parse(text) as T;
