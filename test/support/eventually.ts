import { expect } from 'vitest';

export const eventually = <T>(read: () => T) => expect.poll(read);
