import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The interval of the measurement, which costs 2 ms of processor time per second. */
const RESOLUTION_MS = 20;

/** Measures how long this thread's event loop keeps a request waiting. */
export class EventLoopDelay {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  begin(): void {
    this.#delay.enable();
  }

  /** The longest delay in milliseconds that has ended by now, up to 20 too short. */
  get longest(): number {
    return Math.max(0, Math.round(this.#delay.max / 1e6) - RESOLUTION_MS);
  }

  end(): void {
    this.#delay.disable();
  }
}
