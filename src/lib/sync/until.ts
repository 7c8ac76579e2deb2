import type { ClockPort } from './ports.ts';
import type { Event, State } from './states.ts';

/** The longest wait, in milliseconds. */
const MAX_WAIT_MS = 10_000;

interface Machine {
  readonly state: State;
  dispatch(event: Event): void;
  subscribe(listener: () => void): () => void;
}

/** Dispatches an event and waits for a state, at most `MAX_WAIT_MS`. */
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
    const stop = clock.after(MAX_WAIT_MS, end);
    const unsubscribe = machine.subscribe(() => {
      if (isReached(machine.state)) end();
    });
    machine.dispatch(event);
  });
}
