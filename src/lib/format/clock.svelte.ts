import { createSubscriber } from 'svelte/reactivity';

const INTERVAL_MS = 60_000;

const everyMinute = createSubscriber((update) => {
  const timer = setInterval(update, INTERVAL_MS);
  return () => clearInterval(timer);
});

/** The present time. Reactive, once a minute: « hier » appears at midnight without a reload. */
export function now(): Date {
  everyMinute();
  return new Date();
}
