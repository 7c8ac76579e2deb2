import type { Response } from '#shared/endpoint';
import { call, type Call, type PlainEndpoint } from '$lib/api/call';
import { slowWrites } from '$lib/api/write.svelte';
import { device } from '$lib/sync/this-device';

/**
 * Sends what changes an account, once, in the name of whoever reads on this page; a door takes anybody. It may wait
 * for long work of others, which `connection.slowWrite` tells.
 */
export const send = <E extends PlainEndpoint>(
  endpoint: E,
  request: Call<E>,
): Promise<Response<E>> => {
  const reader = endpoint.isOpen === true ? undefined : device.status.reader;
  return slowWrites.watch(call(endpoint, { reader, ...request }));
};
