import { afterEach, vi } from 'vitest';

// The files of a worker share their globals, so a fake clock must not outlive its file. Restore spies first: a spy on
// a timer would reinstall the fake one.
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
