import type { Database } from '#server/plumbing/database/database';
import type { Sources } from '#server/plumbing/upstream/sources';
import { OtherCovers } from './autres.ts';
import { realClock, type Clock } from './clock.ts';
import { CoverFetcher } from './fetcher.ts';
import { CoverLibrary } from './library.ts';
import { Relay } from './relay.ts';
import { CoverSources } from './sources.ts';

/** The services of covers; they live as long as the process. */
export interface Covers {
  readonly library: CoverLibrary;
  readonly relay: Relay;
  readonly sources: CoverSources;
  /** Fetches nothing until it is started. */
  readonly fetcher: CoverFetcher;
  readonly others: OtherCovers;
}

interface CoversConfig {
  readonly coversPath: string;
  readonly openLibraryCoversUrl: string;
  readonly bnfSruUrl: string;
  readonly upstreamTimeout: number;
}

/** Opens the kept covers of a household. Throws the system's error for a folder that cannot be used. */
export function openCovers(
  config: CoversConfig,
  database: Database,
  { bnf, openLibrary, arks }: Pick<Sources, 'bnf' | 'openLibrary' | 'arks'>,
  clock: Clock = realClock,
): Covers {
  const library = new CoverLibrary(database, config.coversPath, clock);
  const relay = new Relay(config.upstreamTimeout);
  const sources = new CoverSources({
    relay,
    bnf,
    arks,
    coversSite: config.openLibraryCoversUrl,
    bnfSruUrl: config.bnfSruUrl,
    onPlaceholder: (cle) => fetcher.dropPlaceholder(cle),
  });
  const failed = (error: unknown): void =>
    void process.stderr.write(`A cover failed: ${String(error)}\n`);
  const fetcher = new CoverFetcher({ database, library, sources, clock, failed });
  const others = new OtherCovers({
    library,
    sources,
    bnf,
    openLibrary,
    takeCounted: () => fetcher.takeCounted(),
    clock,
    failed,
  });
  return { library, relay, sources, fetcher, others };
}
