import type { Static } from 'typebox';
import { EVENEMENTS, type EvenementRevision } from '#shared/replication';
import { selon } from '../selon.ts';

/** What the event stream tells. */
export interface Ecoute {
  /** The stream is open: what changed before is not told. */
  readonly surOuverture: () => void;
  /** Something readable has changed, up to this revision. */
  readonly surRevision: (revision: number) => void;
  /** The stream broke; the browser opens it again by itself. */
  readonly surPanne: () => void;
  /** The stream broke for good. */
  readonly surFin: () => void;
}

/** Listens to the server's event stream until the returned function is called. */
export function ecouter({ surOuverture, surRevision, surPanne, surFin }: Ecoute): () => void {
  const source = new EventSource(EVENEMENTS);
  source.addEventListener('open', surOuverture);
  source.addEventListener('revision', ({ data }: MessageEvent<string>) => {
    const { revision } = selon<Static<typeof EvenementRevision>>(JSON.parse(data));
    surRevision(revision);
  });
  source.addEventListener('error', () => {
    surPanne();
    if (source.readyState === EventSource.CLOSED) surFin();
  });
  return () => source.close();
}
