import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '#server/plumbing/database/backup/file';
import { OLDEST_SCHEMA, readMigrations } from '#server/plumbing/database/migrations';

/** The versions whose files are stored here. */
export const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

export const backupOf = (version: string): string =>
  join(import.meta.dirname, version, 'sauvegarde.zip');

const schemaOf = (version: string): number => readManifest(backupOf(version))?.schema ?? 0;

const isOpened = (version: string): boolean => schemaOf(version) >= OLDEST_SCHEMA;

/** The versions whose libraries are opened. */
export const OPENED = VERSIONS.filter(isOpened);

/** The opened ones that a start migrates: a version that was released since the last migration needs none. */
export const MIGRATED = OPENED.filter((version) => schemaOf(version) < readMigrations().length);

/** The versions whose libraries another version has to open first. */
export const REFUSED = VERSIONS.filter((version) => !isOpened(version));
