import type { ChangePage, Checkpoint } from '#shared/replication';
import { FIRST_LIMIT, PageLimit, SECOND_LIMIT } from './page-limit.ts';
import type { Ports } from './ports.ts';

/** The first two pages of a first copy. */
export interface FirstPages {
  readonly first: Promise<ChangePage>;
  /** The first one again where there is no second. */
  readonly second: Promise<ChangePage>;
  /** That of the page behind them. */
  readonly limit: PageLimit;
}

/**
 * Asks for them while it is asked who reads, and RxDB is loaded: a device that has nothing would wait for
 * all three, one after the other. Each page names its reader.
 */
export function askFirstPages({ server, clock }: Pick<Ports, 'server' | 'clock'>): FirstPages {
  const limit = new PageLimit(SECOND_LIMIT);
  const { signal } = new AbortController();
  const pull = (after: Checkpoint | null, count: number) =>
    server.pull(after, { limit: count, modifications: false }, signal);
  const askSecond = async ({ epoque, revision }: Checkpoint) => {
    const begun = clock.now();
    const page = await pull({ epoque, revision }, SECOND_LIMIT);
    limit.fit(page.changements.length, clock.now() - begun);
    return page;
  };
  const first = pull(null, FIRST_LIMIT);
  const second = first.then((page) => (page.complet ? page : askSecond(page)));
  // A failure is left to who takes it.
  second.catch(() => undefined);
  return { first, second, limit };
}
