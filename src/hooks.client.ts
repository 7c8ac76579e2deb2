import type { ClientInit } from '@sveltejs/kit';
import { connection } from '$lib/sync/connection.svelte';

/** Before the first screen: nothing here waits, so that it paints at once. */
export const init: ClientInit = () => connection.start();
