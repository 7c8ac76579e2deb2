import { expect } from 'vitest';

// oxlint-disable-next-line vitest/require-awaited-expect-poll -- its callers await what they expect of it
export const eventually = <T>(read: () => T) => expect.poll(read);
