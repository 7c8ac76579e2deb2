import { expect } from 'vitest';

/** Asks again until what is read is as expected, up to a limit. */
export const eventually = <T>(read: () => T) => expect.poll(read);
