import { expect } from 'vitest';

/** Asks again until what is read is as expected; the limit is for what will never come. */
export const eventually = <T>(read: () => T) => expect.poll(read);
