import { readOperations } from '../../support/operations.ts';

/** What needs pictures or the answers of catalogues, and has its own tests with these. */
const isElsewhere = (operation: string): boolean => /couvertures?$|complements/.test(operation);

/** The operations that write what can be undone, as « POST /api/livres », in their order. */
export const readWrites = async (): Promise<string[]> =>
  [...(await readOperations()).values()]
    .filter(({ modification }) => modification)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((operation) => !isElsewhere(operation))
    .sort();
