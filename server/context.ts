import { Base } from '#server/database/base';
import { LiveCatalogue } from '#server/sync/catalogue';
import { Journal } from '#server/sync/journal';
import { LiveKiosque } from '#server/sync/kiosque';
import { openSources, type Sources } from '#server/upstream/sources';
import type { Config } from './config.ts';
import { renormaliser } from './renormalisation.ts';

/** What every module of the service works on. */
export interface Context {
  readonly config: Config;
  readonly base: Base;
  readonly journal: Journal;
  readonly catalogue: LiveCatalogue;
  readonly kiosque: LiveKiosque;
  readonly sources: Sources;
}

/**
 * Opens the database of a configuration, passes over it and reads what it holds into memory. Throws
 * UnusableDatabase. Ended by `context.base.close()`.
 */
export function openContext(config: Config): Context {
  const base = Base.open(config.databasePath, undefined, config.openLibraryCoversUrl);
  renormaliser(base);
  const journal = new Journal(base);
  return {
    config,
    base,
    journal,
    catalogue: new LiveCatalogue(base, journal),
    kiosque: new LiveKiosque(base, journal),
    sources: openSources(config),
  };
}
