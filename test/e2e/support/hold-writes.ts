import type { Device } from './device.ts';

/** Delays the responses to writes until the returned function is called. */
export function holdWrites(phone: Device, path: RegExp): () => void {
  const barrier = Promise.withResolvers<undefined>();
  phone.portal.delay = (asked) => (path.test(asked) ? barrier.promise : Promise.resolve());
  return () => barrier.resolve(undefined);
}
