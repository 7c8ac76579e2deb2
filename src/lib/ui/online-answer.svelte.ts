import { call, type Call, type PlainEndpoint } from '$lib/api/call';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { connection } from '$lib/sync/connection.svelte';
import { report } from '$lib/sync/report';
import type { Answer } from '#shared/endpoint';

/**
 * The server's last response, `null` before the first. Requested whenever the server is reachable and the reader is
 * known, and when dependencies of `ask` change. Call during a component's setup.
 */
export function onlineAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  purpose: string,
): { current: T | null } {
  let current = $state.raw<T | null>(null);
  const isOnline = $derived(connection.state === 'online' && connection.moi !== null);
  $effect(() => {
    if (!isOnline) return undefined;
    const leaving = new AbortController();
    ask(leaving.signal).then(
      (answer) => (current = answer),
      (error: unknown) => {
        if (!leaving.signal.aborted) report(error, purpose);
      },
    );
    return () => leaving.abort();
  });
  return {
    get current() {
      return current;
    },
    set current(answer) {
      current = answer;
    },
  };
}

/** The last response of an endpoint without parameters; `null` while it is not wanted. */
export const answerOf = <const E extends PlainEndpoint>(
  endpoint: E,
  isWanted: () => boolean = () => true,
): { current: Answer<E> | null } =>
  onlineAnswer<Answer<E> | null>(
    async (signal) => (isWanted() ? call(endpoint, unsafeCast<Call<E>>({ signal })) : null),
    `asking for ${endpoint.path}`,
  );

interface Pauses {
  /** The delay of the first request in milliseconds; none by default. */
  readonly firstMs?: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Polls with growing pauses, also after a failure, until `ask` returns true. Returns a function that stops it.
 * Without rxjs, which the first screen does not load.
 *
 * @param purpose for reports
 */
export function poll(
  ask: (signal: AbortSignal) => Promise<boolean>,
  purpose: string,
  { firstMs = 0, minMs, maxMs }: Pauses,
): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tryOnce = () =>
    ask(signal).catch((error: unknown) => {
      if (!signal.aborted) report(error, purpose);
      return false;
    });
  const wait = (ms: number, nextMs: number) => {
    const next = (isDone: boolean) => {
      if (!isDone && !signal.aborted) wait(nextMs, Math.min(nextMs * 1.5, maxMs));
    };
    timer = setTimeout(() => void tryOnce().then(next), ms);
  };
  wait(firstMs, minMs);
  return () => {
    leaving.abort();
    clearTimeout(timer);
  };
}
