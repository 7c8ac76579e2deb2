import { fileURLToPath } from 'node:url';

/** Whether this runs from the bundle in `build/server`, not from the sources. */
const isBundle = import.meta.url.endsWith('.js');

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const CLIENT = at(isBundle ? '../client/' : '../../build/client/');

export const MIGRATIONS = at(isBundle ? '../migrations/' : '../../migrations/');

export const API_PAGE = at(
  isBundle ? 'swagger-ui/' : '../../node_modules/@fastify/swagger-ui/static/',
);

export const LONG_WRITE = at(isBundle ? 'long-write.js' : '../start/long-write.ts');

export const NIGHTLY_BACKUP = at(isBundle ? 'nightly-backup.js' : '../start/nightly-backup.ts');

export const BACKUP_CHECK = at(isBundle ? 'check-backup.js' : '../start/check-backup.ts');

export const DECODER = at(
  isBundle ? 'decoder-process.js' : '../subjects/couvertures/decoder-process.ts',
);
