import type { Device } from './device.ts';

/** Delays the responses to writes until the returned function is called. */
export function holdWrites(phone: Device, path: RegExp): () => void {
  const held = Promise.withResolvers<undefined>();
  phone.portal.delay = (asked) => (path.test(asked) ? held.promise : Promise.resolve());
  return () => held.resolve(undefined);
}
