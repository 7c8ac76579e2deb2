import type { ServerPort } from './ports.ts';
import type { Event } from './states.ts';

/** The server's event stream, open or not; what it tells becomes events. */
export class Stream {
  readonly #server: ServerPort;
  readonly #tell: (event: Event) => void;
  #close: (() => void) | null = null;

  constructor(server: ServerPort, tell: (event: Event) => void) {
    this.#server = server;
    this.#tell = tell;
  }

  /** Opens it; asked again, it stays as it is. */
  open(): void {
    this.#close ??= this.#server.listen({
      opened: () => this.#tell({ type: 'streamOpened' }),
      told: (revision) => this.#tell({ type: 'told', revision }),
      broke: () => {
        this.close();
        this.#tell({ type: 'streamBroke' });
      },
    });
  }

  close(): void {
    this.#close?.();
    this.#close = null;
  }
}
