import type { LocksPort } from '../../../src/lib/sync/ports.ts';

interface Holder {
  readonly hold: () => Promise<void>;
  readonly end: (error?: Error) => void;
}

const aborted = (): DOMException => new DOMException('the lock is another’s', 'AbortError');

/** Simulates the Web Locks API of one browser. */
export class SimulatedLocks implements LocksPort {
  readonly #holders = new Map<string, Holder>();
  readonly #queues = new Map<string, Holder[]>();

  request(
    name: string,
    { steal = false, signal }: { readonly steal?: boolean; readonly signal?: AbortSignal },
    hold: () => Promise<void>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => (error === undefined ? resolve() : reject(error));
      const holder: Holder = { hold, end };
      const queue = this.#queues.get(name) ?? [];
      this.#queues.set(name, queue);
      if (steal) {
        this.#holders.get(name)?.end(aborted());
        this.#holders.delete(name);
        queue.unshift(holder);
      } else queue.push(holder);
      signal?.addEventListener('abort', () => {
        if (!queue.includes(holder)) return;
        queue.splice(queue.indexOf(holder), 1);
        end(aborted());
      });
      this.#grant(name);
    });
  }

  #grant(name: string): void {
    if (this.#holders.has(name)) return;
    const next = this.#queues.get(name)?.shift();
    if (next === undefined) return;
    this.#holders.set(name, next);
    void Promise.resolve()
      .then(() => next.hold())
      .then(() => {
        next.end();
        if (this.#holders.get(name) !== next) return;
        this.#holders.delete(name);
        this.#grant(name);
      });
  }
}
