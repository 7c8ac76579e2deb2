import type { ClockPort } from './ports.ts';
import type { Event, State } from './states.ts';

/** How long a write waits until this device shows it, in milliseconds. */
const PATIENCE_MS = 10_000;

/** What meets events and has a state. */
interface Machine {
  readonly state: State;
  dispatch(event: Event): void;
  subscribe(listener: () => void): () => void;
}

/** Has a machine meet an event, and waits for a state; not for ever. */
export function until(
  machine: Machine,
  clock: ClockPort,
  isReached: (state: State) => boolean,
  event: Event,
): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      stop();
      unsubscribe();
      done();
    };
    const stop = clock.after(PATIENCE_MS, end);
    const unsubscribe = machine.subscribe(() => {
      if (isReached(machine.state)) end();
    });
    machine.dispatch(event);
  });
}
