import { BackgroundQuestions } from './background.ts';
import { KnownArks } from './bnf/known-arks.ts';
import { userAgent } from './http.ts';
import { openAgent, Source } from './source.ts';

/** The outside catalogues, each with the one queue that all its questions go through. */
export interface Sources {
  readonly bnf: Source;
  readonly openLibrary: Source;
  readonly arks: KnownArks;
  /** What imports and completions ask goes through it. */
  readonly background: BackgroundQuestions;
  /** Ends the requests under way, which then fail. */
  readonly close: () => Promise<void>;
}

interface SourcesConfig {
  readonly bnfSruUrl: string;
  readonly openLibraryUrl: string;
  /** For one request, in milliseconds. */
  readonly upstreamTimeout: number;
}

export function openSources(config: SourcesConfig): Sources {
  const agent = openAgent(config.upstreamTimeout);
  const options = { timeoutMs: config.upstreamTimeout, userAgent: userAgent() };
  return {
    bnf: new Source(agent, config.bnfSruUrl, options),
    openLibrary: new Source(agent, config.openLibraryUrl, options),
    arks: new KnownArks(),
    background: new BackgroundQuestions(),
    close: () => agent.destroy(),
  };
}
