import type { Device } from './device.ts';

/** Holds the answers of writes back until it is called. */
export function holdWrites(phone: Device, path: RegExp): () => void {
  const held = Promise.withResolvers<undefined>();
  phone.portal.delay = (asked) => (path.test(asked) ? held.promise : Promise.resolve());
  return () => held.resolve(undefined);
}
