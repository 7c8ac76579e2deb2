import type { Response } from '#shared/endpoint';
import { call, type Call, type Untold } from '$lib/api/call';
import { slowWrites } from '$lib/sync/slow-writes.svelte';

/** Sends what changes an account, once: it may wait for long work of others, which `connection.slowWrite` tells. */
export const send = <E extends Untold>(endpoint: E, request: Call<E>): Promise<Response<E>> =>
  slowWrites.watch(call(endpoint, request));
