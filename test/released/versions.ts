import { readdirSync } from 'node:fs';

/** The versions of which there is something to read. */
export const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
