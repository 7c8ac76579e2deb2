import { expect, test, vi } from 'vitest';

const { setTimeout: real } = globalThis;

test('a test moves the clock, and spies on its timers', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'], now: 0 });
  const spy = vi.spyOn(globalThis, 'setTimeout');
  globalThis.setTimeout(() => undefined, 1);
  expect(spy).toHaveBeenCalledOnce();
});

test('the next test has the real clock', () => {
  expect(globalThis.setTimeout).toBe(real);
  expect(Date.now()).toBeGreaterThan(0);
});
