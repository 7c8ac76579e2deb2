import { afterEach, vi } from 'vitest';

// Files of one worker share its globals: a clock that a test moves would be another file's.
afterEach(() => void vi.useRealTimers());
