import { openAgent, Source } from './agent.ts';
import { userAgent } from './user-agent.ts';

/** The outside catalogues, each asked through its one gate by whoever needs it. */
export interface Sources {
  readonly bnf: Source;
  readonly openLibrary: Source;
  /** Ends the requests under way: their questions then fail, and are answered. */
  readonly close: () => Promise<void>;
}

export interface SourcesConfig {
  readonly bnfSruUrl: string;
  readonly openLibraryUrl: string;
  readonly upstreamTimeout: number;
}

export function openSources(config: SourcesConfig): Sources {
  const agent = openAgent(config.upstreamTimeout);
  const options = { timeoutMs: config.upstreamTimeout, userAgent: userAgent() };
  return {
    bnf: new Source(agent, config.bnfSruUrl, options),
    openLibrary: new Source(agent, config.openLibraryUrl, options),
    close: () => agent.destroy(),
  };
}
