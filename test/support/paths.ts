// Replaces `server/plumbing/paths.ts` in tests (vitest.config.ts).
import { fileURLToPath } from 'node:url';

export * from '../../server/plumbing/paths.ts';

/** The bundled file: a worker that loads the sources would import a thousand modules. */
const built = (name: string): string =>
  fileURLToPath(new URL(`../../build/server/${name}`, import.meta.url));

export const LONG_WRITE = built('long-write.js');
export const NIGHTLY_BACKUP = built('nightly-backup.js');
export const BACKUP_CHECK = built('check-backup.js');
