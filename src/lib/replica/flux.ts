import { ecouter, type Ecoute } from '../api/evenements.ts';
import { seul } from './locks.ts';

/** How long to wait before a stream that the server has refused is opened again, in milliseconds. */
const REPIT = 5_000;

/**
 * The server's event stream, in one tab of the browser at a time: what that tab pulls reaches the
 * others through the replica that they share.
 */
export class Flux {
  readonly #ecoute: Omit<Ecoute, 'surFin'>;
  #arret: AbortController | null = null;

  constructor(ecoute: Omit<Ecoute, 'surFin'>) {
    this.#ecoute = ecoute;
  }

  /** Opens the stream, or waits for its turn to; asked again, it stays as it is. */
  ouvrir(): void {
    if (this.#arret) return;
    const arret = new AbortController();
    this.#arret = arret;
    // Giving up the wait for a turn is no failure.
    seul('flux', () => this.#tenir(arret.signal), arret.signal).catch(() => undefined);
  }

  /** Closes the stream, so that another tab may have it. */
  fermer(): void {
    this.#arret?.abort();
    this.#arret = null;
  }

  #tenir(signal: AbortSignal): Promise<void> {
    return new Promise((fini) => {
      const surFin = () => setTimeout(() => this.#rouvrir(signal), REPIT);
      const cesser = ecouter({ ...this.#ecoute, surFin });
      signal.addEventListener('abort', () => {
        cesser();
        fini();
      });
    });
  }

  #rouvrir(signal: AbortSignal): void {
    if (signal.aborted) return;
    this.fermer();
    this.ouvrir();
  }
}
