import { connection } from '$lib/sync/connection.svelte';
import { report } from '$lib/sync/report';

/**
 * The server's last answer to a question, `null` before the first. The question is asked whenever the server is in
 * reach and the reader is known, and again when what `ask` reads changes. Call while a component is set up.
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
