import { onTestFinished } from 'vitest';
import { EVENTS_PATH } from '#shared/replication';
import type { House } from './house.ts';

interface Listening {
  readonly response: Response;
  readonly revisions: () => number[];
  readonly text: () => string;
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

/** Resolves once the server has sent the headers. */
export async function listen(
  house: House,
  utilisateur: string | null,
  lastEventId?: string,
  query = '',
): Promise<Listening> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(house.url + EVENTS_PATH + query, {
    signal: controller.signal,
    headers: {
      ...house.headersOf(utilisateur),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
  });
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    const chunks: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
    if (chunks === undefined) return;
    for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  })();
  ended.catch(() => undefined);
  return {
    response,
    revisions: () =>
      [...text.matchAll(/^event: revision\nid: .*\ndata: \{"revision":(\d+)\}\n\n/gm)].map(
        ([, revision]) => Number(revision),
      ),
    text: () => text,
    ended,
    leave: () => controller.abort(),
  };
}
