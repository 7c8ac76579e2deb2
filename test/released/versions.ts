import { readdirSync } from 'node:fs';

/** The versions whose files are stored here. */
export const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
