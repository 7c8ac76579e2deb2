import { createSubscriber } from 'svelte/reactivity';

const MINUTE = 60_000;

const chaqueMinute = createSubscriber((changer) => {
  const minuterie = setInterval(changer, MINUTE);
  return () => clearInterval(minuterie);
});

/** The present moment, reactive to the minute: « hier » comes by itself at midnight. */
export function maintenant(): Date {
  chaqueMinute();
  return new Date();
}
