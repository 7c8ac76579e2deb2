import { readOperations } from '../../support/operations.ts';

/** Operations that need pictures or catalogues, and have their own tests. */
const isElsewhere = (operation: string): boolean => /couvertures?$|complements/.test(operation);

/** The operations that can be undone, as « POST /api/livres », sorted. */
export const readWrites = async (): Promise<string[]> =>
  [...(await readOperations()).values()]
    .filter(({ modification }) => modification)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((operation) => !isElsewhere(operation))
    .sort();
