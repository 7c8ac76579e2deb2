import { untrack } from 'svelte';
import { connection } from '$lib/sync/connection.svelte';
import { livresView } from './view.svelte.ts';

/**
 * Calls `begin` once the copy is read and it is known who reads, and again for another reader: before, no book can be
 * found, and what is kept on the device is nobody's. Call while a component is set up.
 */
export function onReader(begin: (reader: string | null) => void): void {
  $effect(() => {
    const reader = livresView.isReady ? connection.moi?.utilisateur : undefined;
    if (reader !== undefined) untrack(() => begin(reader));
  });
}
