// What the service finds beside itself while it runs in a test, in the place of `server/paths.ts` (vitest.config.ts).
import { fileURLToPath } from 'node:url';

export * from '../../server/paths.ts';

/** As it is built before the tests: from the sources a thread would load a thousand modules for each long write. */
export const LONG_WRITE = fileURLToPath(
  new URL('../../build/server/long-write.js', import.meta.url),
);
