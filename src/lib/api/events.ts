import { EVENTS_PATH, HEARTBEAT, type RevisionEvent } from '#shared/replication';
import { href } from '../format/address.ts';
import type { StreamListener } from './link.ts';
import { unsafeCast } from './unsafe-cast.ts';

/** Listens to the server's event stream until the returned function is called. */
export function listen({ opened, announced, heard, broke }: StreamListener): () => void {
  const source = new EventSource(href(EVENTS_PATH));
  source.addEventListener('open', opened);
  source.addEventListener('revision', ({ data }: MessageEvent<string>) => {
    heard();
    announced(unsafeCast<RevisionEvent>(JSON.parse(data)).revision);
  });
  source.addEventListener(HEARTBEAT, heard);
  source.addEventListener('error', () => {
    // Otherwise the browser opens it again at once, even while the server fails.
    source.close();
    broke();
  });
  return () => source.close();
}
