/** The first and the longest wait between two looks for the server, in milliseconds. */
const PREMIERE_ATTENTE = 1_000;
const PLUS_LONGUE_ATTENTE = 30_000;

/** Looks for a server that is out of reach, each wait twice the one before. */
export class Guet {
  readonly #regarder: () => Promise<unknown>;
  #minuterie: ReturnType<typeof setTimeout> | undefined;
  #attente = PREMIERE_ATTENTE;

  /** `regarder` never throws; the watch goes on until it is stopped. */
  constructor(regarder: () => Promise<unknown>) {
    this.#regarder = regarder;
  }

  commencer(): void {
    this.cesser();
    this.#attente = PREMIERE_ATTENTE;
    this.#attendre();
  }

  cesser(): void {
    clearTimeout(this.#minuterie);
    this.#minuterie = undefined;
  }

  #attendre(): void {
    const minuterie = setTimeout(() => {
      void this.#regarder().then(() => {
        if (this.#minuterie === minuterie) this.#attendre();
      });
    }, this.#attente);
    this.#minuterie = minuterie;
    this.#attente = Math.min(2 * this.#attente, PLUS_LONGUE_ATTENTE);
  }
}
