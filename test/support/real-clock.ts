import { afterEach, vi } from 'vitest';

// Files of one worker share its globals: a clock that a test moves would be another file's. Spies go first: a spy on a
// timer would give the moved one back after the clock.
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
