import type { ServerPort } from './ports.ts';
import type { Event } from './states.ts';

/** The server's event stream, open or closed. It dispatches an event for each message. */
export class Stream {
  readonly #server: ServerPort;
  readonly #dispatch: (event: Event) => void;
  #close: (() => void) | null = null;

  constructor(server: ServerPort, dispatch: (event: Event) => void) {
    this.#server = server;
    this.#dispatch = dispatch;
  }

  /** Opens it, unless it is open. */
  open(): void {
    this.#close ??= this.#server.listen({
      opened: () => this.#dispatch({ type: 'streamOpened' }),
      announced: (revision) => this.#dispatch({ type: 'announced', revision }),
      broke: () => {
        this.close();
        this.#dispatch({ type: 'streamBroke' });
      },
    });
  }

  close(): void {
    this.#close?.();
    this.#close = null;
  }
}
